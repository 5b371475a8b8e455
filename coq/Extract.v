(** [certified] of Reading.v as a program: compiling this file writes certified.ml into the current
    folder. Booleans, options, pairs and lists become OCaml's own (ExtrOcamlBasic); numbers and
    characters stay as Coq defines them. *)

From Coq Require Import Extraction ExtrOcamlBasic.
From Bouton Require Import Reading.

Extraction Language OCaml.
Extraction "certified.ml" certified.
