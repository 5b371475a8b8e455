(** Outcomes of games in which play ends: no position is both P and N, and a set of positions that
    no move leaves and re-enters, and that can be entered from everywhere else, is the set of
    P-positions. *)

From Coq Require Import List Arith Lia.
From Bouton Require Import Positions.

Section Ending.
  Context {state : Type}.
  Variable move : state -> state -> Prop.
  Hypothesis ends : well_founded (fun q p => move p q).

  Lemma not_both p : P_position move p -> N_position move p -> False.
  Proof.
    induction p as [p IH] using (well_founded_induction ends). intros [all] [q M P].
    exact (IH q M P (all q M)).
  Qed.

  Variable inside : state -> Prop.
  Hypothesis stays_inside : forall p q, inside p -> move p q -> inside q.
  Variable claim : state -> Prop.

  Theorem characterised :
    (forall p q, inside p -> claim p -> move p q -> ~ claim q) ->
    (forall p, inside p -> claim p \/ exists q, move p q /\ claim q) ->
    forall p, inside p -> (P_position move p <-> claim p).
  Proof.
    intros Never Ever.
    assert (Both : forall p, inside p -> (claim p -> P_position move p) /\
      ((exists q, move p q /\ claim q) -> N_position move p)).
    { intro p. induction p as [p IH] using (well_founded_induction ends). intro I. split.
      - intro C. constructor. intros q M. destruct (IH q M (stays_inside p q I M)) as [_ N].
        apply N.
        destruct (Ever q (stays_inside p q I M)) as [C'|E]; [|exact E].
        destruct (Never p q I C M C').
      - intros (q & M & C). apply some_option_P with q; [exact M|].
        now apply (IH q M (stays_inside p q I M)). }
    intros p I. split; [intro P|now apply Both]. destruct (Ever p I) as [C|E]; [exact C|].
    destruct (not_both p P). now apply Both.
  Qed.
End Ending.

(** The same where every state counts. *)
Theorem characterised_everywhere {state : Type} (move : state -> state -> Prop) (claim : state ->
  Prop) :
  well_founded (fun q p => move p q) ->
  (forall p q, claim p -> move p q -> ~ claim q) ->
    (forall p, claim p \/ exists q, move p q /\ claim q) ->
  forall p, P_position move p <-> claim p.
Proof. intros E Never Ever p. apply (characterised move E (fun _ => True)); auto. intros ? ? _.
apply Never. Qed.
