(** Certificates as text: how data are read. Nothing here has to be right for a theorem to be true:
    what comes out is checked.

    A number is written in base 32, its least digit first, each a character; a character of the
    upper half says that more digits follow. A text is a term of one constructor a character, which
    Coq reads four times as fast as numerals of as many bits. *)

From Coq Require Import List NArith ZArith FMapPositive.
From Coq Require Import Init.Byte Strings.Byte.
From Bouton Require Import Forms Refute Formulas Cover Games.
Import ListNotations.

Inductive digits :=
  | Done
  | D0 (d : digits) | D1 (d : digits) | D2 (d : digits) | D3 (d : digits) | D4 (d : digits) |
    D5 (d : digits)
  | D6 (d : digits) | D7 (d : digits) | D8 (d : digits) | D9 (d : digits) | D10 (d : digits) |
    D11 (d : digits)
  | D12 (d : digits) | D13 (d : digits) | D14 (d : digits) | D15 (d : digits) | D16 (d : digits) |
    D17 (d : digits)
  | D18 (d : digits) | D19 (d : digits) | D20 (d : digits) | D21 (d : digits) | D22 (d : digits) |
    D23 (d : digits)
  | D24 (d : digits) | D25 (d : digits) | D26 (d : digits) | D27 (d : digits) | D28 (d : digits) |
    D29 (d : digits)
  | D30 (d : digits) | D31 (d : digits) | D32 (d : digits) | D33 (d : digits) | D34 (d : digits) |
    D35 (d : digits)
  | D36 (d : digits) | D37 (d : digits) | D38 (d : digits) | D39 (d : digits) | D40 (d : digits) |
    D41 (d : digits)
  | D42 (d : digits) | D43 (d : digits) | D44 (d : digits) | D45 (d : digits) | D46 (d : digits) |
    D47 (d : digits)
  | D48 (d : digits) | D49 (d : digits) | D50 (d : digits) | D51 (d : digits) | D52 (d : digits) |
    D53 (d : digits)
  | D54 (d : digits) | D55 (d : digits) | D56 (d : digits) | D57 (d : digits) | D58 (d : digits) |
    D59 (d : digits)
  | D60 (d : digits) | D61 (d : digits) | D62 (d : digits) | D63 (d : digits).

Fixpoint parse (l : list byte) : option digits :=
  match l with
  | [] => Some Done
  | b :: l =>
    match parse l with
    | None => None
    | Some d =>
      match b with
  | x30 => Some (D0 d) | x31 => Some (D1 d) | x32 => Some (D2 d) | x33 => Some (D3 d) | x34 =>
    Some (D4 d)
  | x35 => Some (D5 d) | x36 => Some (D6 d) | x37 => Some (D7 d) | x38 => Some (D8 d) | x39 =>
    Some (D9 d)
  | x41 => Some (D10 d) | x42 => Some (D11 d) | x43 => Some (D12 d) | x44 => Some (D13 d) | x45 =>
    Some (D14 d)
  | x46 => Some (D15 d) | x47 => Some (D16 d) | x48 => Some (D17 d) | x49 => Some (D18 d) | x4a =>
    Some (D19 d)
  | x4b => Some (D20 d) | x4c => Some (D21 d) | x4d => Some (D22 d) | x4e => Some (D23 d) | x4f =>
    Some (D24 d)
  | x50 => Some (D25 d) | x51 => Some (D26 d) | x52 => Some (D27 d) | x53 => Some (D28 d) | x54 =>
    Some (D29 d)
  | x55 => Some (D30 d) | x56 => Some (D31 d) | x57 => Some (D32 d) | x58 => Some (D33 d) | x59 =>
    Some (D34 d)
  | x5a => Some (D35 d) | x61 => Some (D36 d) | x62 => Some (D37 d) | x63 => Some (D38 d) | x64 =>
    Some (D39 d)
  | x65 => Some (D40 d) | x66 => Some (D41 d) | x67 => Some (D42 d) | x68 => Some (D43 d) | x69 =>
    Some (D44 d)
  | x6a => Some (D45 d) | x6b => Some (D46 d) | x6c => Some (D47 d) | x6d => Some (D48 d) | x6e =>
    Some (D49 d)
  | x6f => Some (D50 d) | x70 => Some (D51 d) | x71 => Some (D52 d) | x72 => Some (D53 d) | x73 =>
    Some (D54 d)
  | x74 => Some (D55 d) | x75 => Some (D56 d) | x76 => Some (D57 d) | x77 => Some (D58 d) | x78 =>
    Some (D59 d)
  | x79 => Some (D60 d) | x7a => Some (D61 d) | x2b => Some (D62 d) | x2d => Some (D63 d)
      | _ => None
      end
    end
  end.

Fixpoint print (d : digits) : list byte :=
  match d with
  | Done => []
  | D0 d => x30 :: print d | D1 d => x31 :: print d | D2 d => x32 :: print d | D3 d =>
    x33 :: print d | D4 d => x34 :: print d
  | D5 d => x35 :: print d | D6 d => x36 :: print d | D7 d => x37 :: print d | D8 d =>
    x38 :: print d | D9 d => x39 :: print d
  | D10 d => x41 :: print d | D11 d => x42 :: print d | D12 d => x43 :: print d | D13 d =>
    x44 :: print d | D14 d => x45 :: print d
  | D15 d => x46 :: print d | D16 d => x47 :: print d | D17 d => x48 :: print d | D18 d =>
    x49 :: print d | D19 d => x4a :: print d
  | D20 d => x4b :: print d | D21 d => x4c :: print d | D22 d => x4d :: print d | D23 d =>
    x4e :: print d | D24 d => x4f :: print d
  | D25 d => x50 :: print d | D26 d => x51 :: print d | D27 d => x52 :: print d | D28 d =>
    x53 :: print d | D29 d => x54 :: print d
  | D30 d => x55 :: print d | D31 d => x56 :: print d | D32 d => x57 :: print d | D33 d =>
    x58 :: print d | D34 d => x59 :: print d
  | D35 d => x5a :: print d | D36 d => x61 :: print d | D37 d => x62 :: print d | D38 d =>
    x63 :: print d | D39 d => x64 :: print d
  | D40 d => x65 :: print d | D41 d => x66 :: print d | D42 d => x67 :: print d | D43 d =>
    x68 :: print d | D44 d => x69 :: print d
  | D45 d => x6a :: print d | D46 d => x6b :: print d | D47 d => x6c :: print d | D48 d =>
    x6d :: print d | D49 d => x6e :: print d
  | D50 d => x6f :: print d | D51 d => x70 :: print d | D52 d => x71 :: print d | D53 d =>
    x72 :: print d | D54 d => x73 :: print d
  | D55 d => x74 :: print d | D56 d => x75 :: print d | D57 d => x76 :: print d | D58 d =>
    x77 :: print d | D59 d => x78 :: print d
  | D60 d => x79 :: print d | D61 d => x7a :: print d | D62 d => x2b :: print d | D63 d =>
    x2d :: print d
  end.

Declare Scope digits_scope.
Delimit Scope digits_scope with digits.
Bind Scope digits_scope with digits.
String Notation digits parse print : digits_scope.

Open Scope N_scope.

Fixpoint numbers (d : digits) (a m : N) : list N :=
  match d with
  | Done => []
  | D0 d => (a + 0 * m) :: numbers d 0 1 | D1 d => (a + 1 * m) :: numbers d 0 1 | D2 d =>
    (a + 2 * m) :: numbers d 0 1
  | D3 d => (a + 3 * m) :: numbers d 0 1 | D4 d => (a + 4 * m) :: numbers d 0 1 | D5 d =>
    (a + 5 * m) :: numbers d 0 1
  | D6 d => (a + 6 * m) :: numbers d 0 1 | D7 d => (a + 7 * m) :: numbers d 0 1 | D8 d =>
    (a + 8 * m) :: numbers d 0 1
  | D9 d => (a + 9 * m) :: numbers d 0 1 | D10 d => (a + 10 * m) :: numbers d 0 1 | D11 d =>
    (a + 11 * m) :: numbers d 0 1
  | D12 d => (a + 12 * m) :: numbers d 0 1 | D13 d => (a + 13 * m) :: numbers d 0 1 | D14 d =>
    (a + 14 * m) :: numbers d 0 1
  | D15 d => (a + 15 * m) :: numbers d 0 1 | D16 d => (a + 16 * m) :: numbers d 0 1 | D17 d =>
    (a + 17 * m) :: numbers d 0 1
  | D18 d => (a + 18 * m) :: numbers d 0 1 | D19 d => (a + 19 * m) :: numbers d 0 1 | D20 d =>
    (a + 20 * m) :: numbers d 0 1
  | D21 d => (a + 21 * m) :: numbers d 0 1 | D22 d => (a + 22 * m) :: numbers d 0 1 | D23 d =>
    (a + 23 * m) :: numbers d 0 1
  | D24 d => (a + 24 * m) :: numbers d 0 1 | D25 d => (a + 25 * m) :: numbers d 0 1 | D26 d =>
    (a + 26 * m) :: numbers d 0 1
  | D27 d => (a + 27 * m) :: numbers d 0 1 | D28 d => (a + 28 * m) :: numbers d 0 1 | D29 d =>
    (a + 29 * m) :: numbers d 0 1
  | D30 d => (a + 30 * m) :: numbers d 0 1 | D31 d => (a + 31 * m) :: numbers d 0 1
  | D32 d => numbers d (a + 0 * m) (32 * m) | D33 d => numbers d (a + 1 * m) (32 * m) | D34 d =>
    numbers d (a + 2 * m) (32 * m)
  | D35 d => numbers d (a + 3 * m) (32 * m) | D36 d => numbers d (a + 4 * m) (32 * m) | D37 d =>
    numbers d (a + 5 * m) (32 * m)
  | D38 d => numbers d (a + 6 * m) (32 * m) | D39 d => numbers d (a + 7 * m) (32 * m) | D40 d =>
    numbers d (a + 8 * m) (32 * m)
  | D41 d => numbers d (a + 9 * m) (32 * m) | D42 d => numbers d (a + 10 * m) (32 * m) | D43 d =>
    numbers d (a + 11 * m) (32 * m)
  | D44 d => numbers d (a + 12 * m) (32 * m) | D45 d => numbers d (a + 13 * m) (32 * m) | D46 d =>
    numbers d (a + 14 * m) (32 * m)
  | D47 d => numbers d (a + 15 * m) (32 * m) | D48 d => numbers d (a + 16 * m) (32 * m) | D49 d =>
    numbers d (a + 17 * m) (32 * m)
  | D50 d => numbers d (a + 18 * m) (32 * m) | D51 d => numbers d (a + 19 * m) (32 * m) | D52 d =>
    numbers d (a + 20 * m) (32 * m)
  | D53 d => numbers d (a + 21 * m) (32 * m) | D54 d => numbers d (a + 22 * m) (32 * m) | D55 d =>
    numbers d (a + 23 * m) (32 * m)
  | D56 d => numbers d (a + 24 * m) (32 * m) | D57 d => numbers d (a + 25 * m) (32 * m) | D58 d =>
    numbers d (a + 26 * m) (32 * m)
  | D59 d => numbers d (a + 27 * m) (32 * m) | D60 d => numbers d (a + 28 * m) (32 * m) | D61 d =>
    numbers d (a + 29 * m) (32 * m)
  | D62 d => numbers d (a + 30 * m) (32 * m) | D63 d => numbers d (a + 31 * m) (32 * m)
  end.

(** * Readers *)

Definition reader (A : Type) := list N -> A * list N.

Definition number : reader N := fun l => match l with [] => (0, []) | x :: l => (x, l) end.

Definition map_reader {A B} (f : A -> B) (r : reader A) : reader B := fun l => let (a, l) := r l in
  (f a, l).
Definition pair_reader {A B} (r : reader A) (s : reader B) : reader (A * B) :=
  fun l => let (a, l) := r l in let (b, l) := s l in ((a, b), l).

(** No more than a million: whatever a text says, what is built of it stays small. *)
Definition natural : reader nat := map_reader (fun x => N.to_nat (N.min x 1048576)) number.
Definition state : reader positive := map_reader N.succ_pos number.
Definition integer : reader Z := map_reader (fun x => if N.odd x then Z.opp (Z.of_N (N.div2 x)) else
  Z.of_N (N.div2 x)) number.

Fixpoint times_reader {A} (k : nat) (r : reader A) (l : list N) : list A * list N :=
  match k with
  | O => ([], l)
  | S k => let (a, l) := r l in let (t, l) := times_reader k r l in (a :: t, l)
  end.

Definition list_reader {A} (r : reader A) : reader (list A) := fun l => let (k, l) := natural l in
  times_reader k r l.

Definition naturals : reader (list nat) := list_reader natural.

(** Variables of a nim-sum; or no variable, and then a modulus and the variables. *)
Definition summand_reader : reader summand := fun l =>
  let (vs, l) := naturals l in
  match vs with
  | [] => let (m, l) := number l in map_reader (Sum_mod m) naturals l
  | _ => (Nim_sum vs, l)
  end.

Definition form_reader : reader form :=
  pair_reader (list_reader (pair_reader integer summand_reader)) integer.

Definition step_reader : reader step := fun l =>
  let (tag, l) := number l in
  match tag with
  | 0 => let (ps, l) := list_reader (pair_reader number natural) l in let (d, l) := integer l in
    (Sum ps d, l)
  | _ => map_reader Natural summand_reader l
  end.

Definition refutation_reader : reader refutation := fun l =>
  let (s, l) := list_reader step_reader l in
  let (k, l) := natural l in
  match k with
  | O => ({| steps := s; walked := []; zeros := []; fuel := 0 |}, l)
  | _ =>
    let (w, l) := naturals l in
    let (z, l) := naturals l in
    ({| steps := s; walked := w; zeros := z; fuel := k |}, l)
  end.

Definition refutations : reader (list refutation) := list_reader refutation_reader.

Definition condition_reader : reader condition := fun l =>
  let (m, l) := number l in
  let (f, l) := form_reader l in
  (match m with 0 => Bound f | 1 => Differs f | Npos p => Divisible p f end, l).

Definition clause_reader (width : nat) : reader clause := list_reader (times_reader width integer).

Definition part_reader : reader part := fun l =>
  let (cs, l) := list_reader condition_reader l in
  let (g, l) := natural l in
  let (s, l) := state l in
  let (f, l) := list_reader (list_reader number) l in
  let (ls, l) := list_reader (pair_reader state (list_reader (clause_reader (length cs)))) l in
  ({| conditions := cs; guesses := g; start := s; first := f;
      labels := fold_left (fun m x => PositiveMap.add (fst x) (snd x) m) ls (PositiveMap.empty _)
        |}, l).

(** Witnesses, in prefix order. *)
Fixpoint witness_reader (fuel : nat) (l : list N) : witness * list N :=
  match fuel with
  | O => (Here, l)
  | S fuel =>
    let (tag, l) := number l in
    match tag with
    | 0 => (Here, l)
    | 1 => map_reader Left (witness_reader fuel) l
    | 2 => map_reader Right (witness_reader fuel) l
    | 3 => let (v, l) := witness_reader fuel l in map_reader (Pair v) (witness_reader fuel) l
    | _ => let (x, l) := natural l in map_reader (Value x) (witness_reader fuel) l
    end
  end.

Definition shown_reader : reader shown := fun l =>
  let (s, l) := naturals l in
  let (r, l) := refutations l in
  ({| splits := s; leaves := r |}, l).

Definition definition_reader : reader definition := fun l =>
  let (tag, l) := number l in
  match tag with
  | 0 | 1 =>
    let (fs, l) := list_reader form_reader l in
    let (rs, l) := list_reader shown_reader l in
    (Extreme (N.eqb tag 1) fs rs, l)
  | _ =>
    let (i, l) := natural l in
    let (r, l) := shown_reader l in
    (Whole i r, l)
  end.

Definition target_reader : reader (list nat * nat) := pair_reader naturals natural.

Definition kind_reader : reader kind := fun l =>
  let (tag, l) := number l in
  match tag with
  | 0 => let (w, l) := naturals l in let (m, l) := naturals l in map_reader (Move w m) target_reader
    l
  | 1 => map_reader Stay naturals l
  | 2 => (Over, l)
  | _ => (Nowhere, l)
  end.

Definition proved_part_reader : reader proved_part := fun l =>
  let (k, l) := kind_reader l in
  let (r, l) := witness_reader 1000 l in
  let (c, l) := witness_reader 1000 l in
  let (ds, l) := list_reader definition_reader l in
  let (gs, l) := list_reader shown_reader l in
  let (p, l) := part_reader l in
  ({| what := k; of_rule := r; of_claim := c; definitions := ds; goals := gs; covering := p |}, l).

Definition condition_I_reader : reader condition_I := fun l =>
  let (r, l) := list_reader target_reader l in
  let (m, l) := list_reader (pair_reader target_reader refutations) l in
  let (c, l) := list_reader refutations l in
  ({| reduced := r; reduction := m; cases := c |}, l).

(** States in their order from 2 on: what follows on 0 and on 1, which is 1 if nothing does; twice,
    and one more if numbers may end. *)
Definition machine_reader : reader automaton := fun l =>
  let (k, l) := natural l in
  let fix go k s m l :=
    match k with
    | O => (m, l)
    | S k =>
      let (a, l) := number l in let (b, l) := state l in
      go k (Pos.succ s) (PositiveMap.add s (N.succ_pos (N.div2 a), b, N.odd a) m) l
    end in
  go k 2%positive (PositiveMap.empty _) l.

(** Sets, the member first that they are filed under. *)
Definition index_reader : reader index :=
  map_reader (fun sets => fold_left (fun m (b : list positive) =>
      match b with
      | [] => m
      | s :: _ => PositiveMap.add s (b :: match PositiveMap.find s m with Some l => l | None =>
        [] end) m
      end) sets (PositiveMap.empty _))
    (list_reader (list_reader state)).

Definition data_reader : reader data := fun l =>
  let (i, l) := condition_I_reader l in
  let (ps, l) := list_reader proved_part_reader l in
  let (m, l) := machine_reader l in
  let (s, l) := index_reader l in
  ({| inside := i; parts := ps; machine := m; sets := s |}, l).

Definition read (text : list digits) : data * list refutation :=
  fst (pair_reader data_reader refutations (flat_map (fun d => numbers d 0 1) text)).

(** One number of heaps after another. *)
Definition read_all (texts : list (list digits)) : list data :=
  map (fun text => fst (read text)) texts.
