(** Subtraction games S(A): one heap of n tokens, a move takes a tokens, a in A. The theorems hold
    for all values of their parameters.

    NIM with Cash, Example 1.5 (1)-(4), Lemmas 5.1, 6.1 and 7.1 (Gasarch, Purtilo, Ulrich); S(1,h)
    and S(1,h,h+1) for every h. *)

From Coq Require Import List Arith Lia Wf_nat.
From Bouton Require Import Positions Outcomes.
Import ListNotations.
Open Scope nat_scope.

(** Taking a number of tokens that belongs to [A]; from L to M tokens is the set [from_to L M]. *)
Definition takes (A : list nat) (n n' : nat) : Prop := exists a, In a A /\ a <= n /\ n' = n - a.
Definition from_to (L M : nat) : list nat := seq L (S M - L).

Definition positive (A : list nat) : Prop := forall a, In a A -> 0 < a.

Lemma taking_ends A : positive A -> well_founded (fun n' n => takes A n n').
Proof.
  intros P n. induction n as [n IH] using (well_founded_induction lt_wf). constructor.
  intros n' (a & I & L & ->). apply IH.
  specialize (P a I). lia.
Qed.

Lemma mod_unique a b q r : r < b -> a = b * q + r -> a mod b = r.
Proof. intros H E. symmetry. now apply Nat.mod_unique with q. Qed.

(** Periods: what is lost below the period is lost after it. *)
Section Periodic.
  Variable A : list nat.
  Variable period : nat.
  Variable lost : nat -> Prop.
  Hypothesis pos : positive A.
  Hypothesis long : forall a, In a A -> a <= period.
  Hypothesis decided : forall i, i < period -> lost i \/ ~ lost i.

  (** Remainders after taking [a] from a remainder [i]. *)
  Hypothesis never : forall i a, i < period -> lost i -> In a A ->
    (a <= i -> ~ lost (i - a)) /\ (i < a -> ~ lost (i + period - a)).
  Hypothesis ever : forall i, i < period -> ~ lost i -> exists a, In a A /\ a <= i /\ lost (i - a).

  Lemma periodic_P : 0 < period -> forall n, P_position (takes A) n <-> lost (n mod period).
  Proof.
    intro Z. apply characterised_everywhere; [now apply taking_ends| |].
    - intros n n' C (a & I & L & ->). pose proof (Nat.mod_upper_bound n period ltac:(lia)) as B.
      specialize (never _ a B C I) as [N1 N2].
      pose proof (Nat.div_mod n period ltac:(lia)) as E. set (i := n mod period) in *.
      set (k := n / period) in *. specialize (pos a I).
      specialize (long a I). destruct (le_lt_dec a i) as [H|H].
      + rewrite (mod_unique (n - a) period k (i - a)) by (try rewrite E; lia). auto.
      + assert (K : 0 < k) by (destruct k; nia).
        replace (period * k) with (period * (k - 1) + period) in E by nia.
        rewrite (mod_unique (n - a) period (k - 1) (i + period - a)) by (try rewrite E; lia). auto.
    - intro n. pose proof (Nat.mod_upper_bound n period ltac:(lia)) as B.
      destruct (decided _ B) as [C|C]; [now left|right].
      destruct (ever _ B C) as (a & I & H & C'). pose proof (Nat.div_mod n period ltac:(lia)) as E.
      exists (n - a). split.
      + exists a. repeat split; [exact I|lia].
      + rewrite (mod_unique (n - a) period (n / period) (n mod period - a)) by lia. exact C'.
  Qed.
End Periodic.

Lemma in_from_to a L M : In a (from_to L M) <-> L <= a <= M.
Proof. unfold from_to. rewrite in_seq. lia. Qed.

(** ** {L..M} *)

(** Example 1.5 (1): for all 1 <= L <= M the second player wins iff n mod (L+M) < L. *)
Theorem from_L_to_M L M : 1 <= L <= M -> forall n, P_position (takes (from_to L M)) n <->
  n mod (L + M) < L.
Proof.
  intros H. apply (periodic_P _ (L + M) (fun i => i < L)).
  - intros a I. apply in_from_to in I. lia.
  - intros a I. apply in_from_to in I. lia.
  - intros i _. lia.
  - intros i a B C I. apply in_from_to in I. lia.
  - intros i B C. exists (if i <? M then (if i <? 2 * L then L else i) else M). rewrite in_from_to.
    destruct (Nat.ltb_spec i M), (Nat.ltb_spec i (2 * L)); lia.
  - lia.
Qed.

(** ** {1,h} *)

Ltac member I := cbn [In] in I; repeat (destruct I as [<-|I]; [|]); [..|destruct I].

(** Every even h: lost are the remainders 0, 2, ..., h-2 modulo h+1 (Example 1.5 (2), Lemma 5.1). *)
Theorem one_and_even h : 1 <= h -> Nat.Even h ->
  forall n, P_position (takes [1; h]) n <-> Nat.Even (n mod (h + 1)) /\ n mod (h + 1) + 2 <= h.
Proof.
  intros H [l ->]. apply (periodic_P _ (2 * l + 1) (fun i => Nat.Even i /\ i + 2 <= 2 * l)).
  - intros a I. member I; lia.
  - intros a I. member I; lia.
  - intros i _. destruct (Nat.Even_or_Odd i) as [[j ->]|[j ->]].
    + destruct (le_lt_dec (2 * j + 2) (2 * l)); [left; split; [now exists j|lia]|right; lia].
    + right. intros [[k E] _]. lia.
  - intros i a B [[j ->] S] I. member I; split; intros X [[k E] T]; lia.
  - intros i B C. destruct (Nat.Even_or_Odd i) as [[j ->]|[j ->]].
    + exists (2 * l). assert (2 * j = 2 * l).
      { destruct (le_lt_dec (2 * j + 2) (2 * l)); [|lia]. destruct C. split; [now exists j|lia]. }
      repeat split; [right; now left|lia|exists 0; lia|lia].
    + exists 1. repeat split; [now left|lia|exists j; lia|lia].
  - lia.
Qed.

(** Every odd h: lost are the even numbers. *)
Theorem one_and_odd h : Nat.Odd h -> forall n, P_position (takes [1; h]) n <-> Nat.Even n.
Proof.
  intros [l ->]. apply characterised_everywhere.
  - apply taking_ends. intros a I. member I; lia.
  - intros n n' [j ->] (a & I & L & ->) [k E]. member I; lia.
  - intro n. destruct (Nat.Even_or_Odd n) as [[j ->]|[j ->]]; [left; now exists j|right].
    exists (2 * j + 1 - 1). split.
    + exists 1. repeat split; [now left|lia].
    + exists j. lia.
Qed.

(** ** {1,h,h+1} *)

(** Every even h >= 2: lost are the remainders 0, 2, ..., h-2 modulo 2h (Example 1.5 (3), Lemma
    7.1). *)
Theorem one_even_next h : 2 <= h -> Nat.Even h ->
  forall n, P_position (takes [1; h; h + 1]) n <-> Nat.Even (n mod (2 * h)) /\
    n mod (2 * h) + 2 <= h.
Proof.
  intros H [l ->]. apply (periodic_P _ (2 * (2 * l)) (fun i => Nat.Even i /\ i + 2 <= 2 * l)).
  - intros a I. member I; lia.
  - intros a I. member I; lia.
  - intros i _. destruct (Nat.Even_or_Odd i) as [[j ->]|[j ->]].
    + destruct (le_lt_dec (2 * j + 2) (2 * l)); [left; split; [now exists j|lia]|right; lia].
    + right. intros [[k E] _]. lia.
  - intros i a B [[j ->] S] I. member I; split; intros X [[k E] T]; lia.
  - intros i B C. destruct (Nat.Even_or_Odd i) as [[j ->]|[j ->]].
    + assert (2 * l <= 2 * j).
      { destruct (le_lt_dec (2 * j + 2) (2 * l)); [|lia]. destruct C. split; [now exists j|lia]. }
      exists (2 * l). repeat split; [right; now left|lia|exists (j - l); lia|lia].
    + destruct (le_lt_dec (2 * j + 2) (2 * l)).
      * exists 1. repeat split; [now left|lia|exists j; lia|lia].
      * exists (2 * l + 1). repeat split; [do 2 right; now left|lia|exists (j - l); lia|lia].
  - lia.
Qed.

(** Every odd h >= 1: lost are the remainders 0, 2, ..., h-1 modulo 2h+1 (Example 1.5 (4), Lemma
    6.1). *)
Theorem one_odd_next h : Nat.Odd h ->
  forall n, P_position (takes [1; h; h + 1]) n <-> Nat.Even (n mod (2 * h + 1)) /\
    n mod (2 * h + 1) + 1 <= h.
Proof.
  intros [l ->]. apply (periodic_P _ (2 * (2 * l + 1) + 1) (fun i => Nat.Even i /\
    i + 1 <= 2 * l + 1)).
  - intros a I. member I; lia.
  - intros a I. member I; lia.
  - intros i _. destruct (Nat.Even_or_Odd i) as [[j ->]|[j ->]].
    + destruct (le_lt_dec (2 * j + 1) (2 * l + 1)); [left; split; [now exists j|lia]|right; lia].
    + right. intros [[k E] _]. lia.
  - intros i a B [[j ->] S] I. member I; split; intros X [[k E] T]; lia.
  - intros i B C. destruct (Nat.Even_or_Odd i) as [[j ->]|[j ->]].
    + assert (2 * l + 1 < 2 * j).
      { destruct (le_lt_dec (2 * j + 1) (2 * l + 1)); [|lia]. destruct C. split; [now exists j|lia].
        }
      exists (2 * l + 1 + 1). repeat split; [do 2 right; now left|lia|exists (j - l - 1); lia|lia].
    + destruct (le_lt_dec (2 * j + 1) (2 * l + 1)).
      * exists 1. repeat split; [now left|lia|exists j; lia|lia].
      * exists (2 * l + 1). repeat split; [right; now left|lia|exists (j - l); lia|lia].
  - lia.
Qed.
