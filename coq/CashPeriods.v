(** What the theorems on NIM with Cash for {1, L, L+1} share: tables that repeat make a set
    cash-periodic (Definition 4.4), and conditions with floors become comparisons of quotients. *)

From Coq Require Import List Arith ZArith Lia Bool.
From Bouton Require Import Positions Outcomes Subtraction Cash CashTables.
Import ListNotations.
Open Scope nat_scope.

Lemma parity i : exists h, i = 2 * h /\ Nat.odd i = false /\ i mod 2 = 0 \/ i = 2 * h + 1 /\
  Nat.odd i = true /\ i mod 2 = 1.
Proof.
  destruct (Nat.Even_or_Odd i) as [[h E]|[h E]]; exists h; [left|right]; (split; [exact E|split]).
  - rewrite <- Nat.negb_even. apply negb_false_iff, Nat.even_spec. now exists h.
  - symmetry. apply Nat.mod_unique with h; lia.
  - apply Nat.odd_spec. now exists h.
  - symmetry. apply Nat.mod_unique with h; lia.
Qed.

(** In every period of m stones W is [w], and f^I and f^II grow by r. *)
Section Repeating.
  Variables (A : list nat) (m r : nat) (w : nat -> bool) (v1 v2 : nat -> nat).
  Hypothesis some : 0 < m.
  Hypothesis short : forall a, In a A -> a <= m.
  Hypothesis table : forall k i, i < m -> at_ A (m * k + i) (w i) (r * k + v1 i) (r * k + v2 i).

  Lemma position n : exists k i, i < m /\ n mod m = i /\ n = m * k + i.
  Proof.
    exists (n / m), (n mod m). split; [apply Nat.mod_upper_bound; lia|]. split; [reflexivity|].
    apply Nat.div_mod. lia.
  Qed.

  Lemma remainder k i : i < m -> (m * k + i) mod m = i.
  Proof. intro B. symmetry. now apply Nat.mod_unique with k. Qed.

  Lemma W_repeats n : W_ A n = w (n mod m).
  Proof. destruct (position n) as (k & i & B & -> & ->). apply table, B. Qed.

  (** Costs of the first period, and of takings that begin in the second and end in the first. *)
  Variables c1 c2 : nat -> nat -> Z.
  Open Scope Z_scope.
  Hypothesis costs : forall i a, (i < m)%nat -> In a A ->
    ((a <= i)%nat -> Z.of_nat (v1 i) - Z.of_nat (v2 (i - a)) - Z.of_nat a = c1 i a /\
      Z.of_nat (v2 i) - Z.of_nat (v1 (i - a)) = c2 i a) /\
    ((i < a)%nat -> Z.of_nat (r + v1 i) - Z.of_nat (v2 (m + i - a)) - Z.of_nat a = c1 i a /\
                  Z.of_nat (r + v2 i) - Z.of_nat (v1 (m + i - a)) = c2 i a).

  Theorem repeating : cash_periodic A m c1 c2.
  Proof.
    split; [lia|split]; [intro n; now rewrite !W_repeats, Nat.mod_mod by lia|].
    intros n a I H. destruct (position n) as (k & i & B & -> & ->). unfold C_I, C_II.
    destruct (costs i a B I) as [Within Across]. destruct (table k i B) as (_ & -> & ->).
    destruct (le_lt_dec a i) as [C|C].
    - destruct (Within C) as [<- <-]. replace (m * k + i - a)%nat with (m * k + (i - a))%nat by lia.
      destruct (table k (i - a)%nat ltac:(lia)) as (_ & -> & ->). lia.
    - destruct (Across C) as [<- <-]. specialize (short a I). destruct k as [|k]; [lia|].
      replace (m * S k + i - a)%nat with (m * k + (m + i - a))%nat by lia.
      destruct (table k (m + i - a)%nat ltac:(lia)) as (_ & -> & ->). lia.
  Qed.
End Repeating.

(** Of a cash-periodic set, W and the costs repeat. *)
Lemma cash_repeats A m c1 c2 : cash_periodic A m c1 c2 -> forall n a, In a A -> a <= n ->
  W_ A (n + m) = W_ A n /\ C_I A (n + m) a = C_I A n a /\ C_II A (n + m) a = C_II A n a.
Proof.
  intros (M & Per & Cs) n a I H. assert (E : (n + m) mod m = n mod m).
  { replace (n + m) with (n + 1 * m) by lia. apply Nat.mod_add. lia. }
  destruct (Cs n a I H) as [-> ->]. destruct (Cs (n + m) a I ltac:(lia)) as [-> ->].
  now rewrite (Per (n + m)), (Per n), E.
Qed.

(** A solution set for costs that are the same. *)
Lemma same_costs A a1 m c1 c2 c1' c2' X : In a1 A ->
  (forall i a, i < m -> In a A -> c1' i a = c1 i a /\ c2' i a = c2 i a) ->
    solution_set A a1 m c1 c2 X -> solution_set A a1 m c1' c2' X.
Proof.
  intros I1 E S i b b' B B1 B2. destruct (S i b b' B B1 B2) as [In_X Out_X]. split.
  - destruct (E i a1 B I1) as [-> ->]. exact In_X.
  - intros O a I. destruct (E i a B I) as [-> ->]. exact (Out_X O a I).
Qed.

(** ** i - a modulo m *)

Lemma minus_is m i a : i < m -> a <= m -> minus m i a = if a <=? i then i - a else m + i - a.
Proof.
  intros B H. unfold minus. destruct (Nat.leb_spec a i).
  - rewrite Z.mod_small by lia. lia.
  - replace (Z.of_nat i - Z.of_nat a)%Z with (Z.of_nat (m + i - a) + (-1) * Z.of_nat m)%Z by lia.
    rewrite Z.mod_add by lia. rewrite Z.mod_small by lia. lia.
Qed.

(** ** Floors *)

Section Quotients.
  Open Scope Z_scope.
  Variable m : Z.
  Hypothesis m1 : 0 < m.

  Lemma quotient_le x y : x / m * m <= y <-> x / m <= y / m.
  Proof. split; intro H; [apply Z.div_le_lower_bound; lia|]. pose proof (Z.mul_div_le y m m1). nia.
  Qed.

  Lemma quotient_lt x y : x < y / m * m <-> x / m < y / m.
  Proof. split; intro H; [apply Z.div_lt_upper_bound; lia|]. pose proof (Z.mul_succ_div_gt x m m1).
  nia. Qed.

  Lemma quotient_sign x : 0 <= x <-> 0 <= x / m.
  Proof. split; intro H; [apply Z.div_pos; lia|]. pose proof (Z.mul_div_le x m m1). nia. Qed.

  Lemma quotients x y k : x <= y + k * m -> x / m <= y / m + k.
  Proof. intro H. rewrite <- Z.div_add by lia. now apply Z.div_le_mono. Qed.
End Quotients.

(** The best bound on x / m by y / m, put before the goal. *)
Ltac near m M x y :=
  first [ generalize (quotients m M x y (-2) ltac:(lia)) |
    generalize (quotients m M x y (-1) ltac:(lia)) | generalize (quotients m M x y 0 ltac:(lia))
        | generalize (quotients m M x y 1 ltac:(lia)) | generalize (quotients m M x y 2 ltac:(lia))
          | generalize (quotients m M x y 3 ltac:(lia)) ].

(** All comparisons of natural numbers in the goal. *)
Ltac compare_all :=
  repeat match goal with
  | |- context [?x <? ?y] => destruct (Nat.ltb_spec x y); try lia
  | |- context [?x <=? ?y] => destruct (Nat.leb_spec x y); try lia
  | |- context [?x =? ?y] => destruct (Nat.eqb_spec x y); try lia
  end; cbn [andb orb negb].
