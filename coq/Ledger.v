(** The claims of the literature that are proved by hand for all values of their parameters, one
    theorem a claim: N3_2_4_1 is the claim N3 (2.4.1) of the ledger. What the words mean stands in
    Positions.v (P and N), Subtraction.v (taking), Cash.v (NIM with Cash, Definitions 2.1 to 4.6),
    CashPair.v (X of Lemma 5.6), CashIntervalWins.v (X of Definition 8.2), CashPurses.v (least
    purses), CashRates.v (subsets), Circles.v, Kotzig.v (Kotzig's Nim), Sums.v (nim-values, sums)
    and Wythoff.v (the queen). A finite set A is a list of positive numbers;
      a1 is its least member. *)

From Coq Require Import List Arith ZArith Lia Bool.
From Bouton Require Import Positions Outcomes Subtraction Cash CashTables CashPair CashPeriods
  CashIntervalWins.
From Bouton Require CashEvenNext CashOddTable CashOddNext.
Import ListNotations.
Open Scope nat_scope.

(** W is false if Player II wins without cash. *)
Lemma lost_without_cash A n : positive A -> (W_ A n = false <-> P_position (takes A) n).
Proof.
  intro P. pose proof (W_without_cash A P n) as H. destruct (W_ A n).
  - split; [discriminate|]. intro Q. destruct (not_both (takes A) (taking_ends A P) n Q).
    now apply H.
  - split; [intros _|reflexivity]. constructor. intros m (a & I & L & ->).
    destruct (W_ A (n - a)) eqn:V.
    + now apply W_without_cash.
    + exfalso. assert (X : false = true); [|discriminate X]. apply H.
      apply some_option_P with (n - a); [now exists a|].
      clear H. revert V. generalize (n - a). clear -P. intro n.
      induction n as [n IH] using (well_founded_induction Wf_nat.lt_wf). intro V.
      constructor. intros m (a & I & L & ->). apply W_without_cash; [exact P|].
      destruct (W_ A (n - a)) eqn:V'; [reflexivity|].
      rewrite (proj2 (W_def A P n)) in V; [discriminate|]. now exists a.
Qed.

Theorem N1_1_5_1 L M n : 1 <= L -> L + 1 <= M -> (W_ (from_to L M) n = false <-> n mod (L + M) < L).
Proof.
  intros H1 H2. rewrite lost_without_cash; [apply from_L_to_M; lia|]. intros a I.
  apply in_from_to in I. lia.
Qed.

Theorem N1_1_5_2 l n : 1 <= l -> let L := 2 * l in let i := n mod (L + 1) in
  (W_ [1; L] n = false <-> Nat.Even i /\ i + 2 <= L).
Proof.
  intro H. cbv zeta. rewrite lost_without_cash; [apply one_and_even; [lia|now exists l]|].
  intros a I. member I; lia.
Qed.

Theorem N1_1_5_3 l n : 1 <= l -> let L := 2 * l in let i := n mod (2 * L) in
  (W_ [1; L; L + 1] n = false <-> Nat.Even i /\ i + 2 <= L).
Proof.
  intro H. cbv zeta. rewrite lost_without_cash; [apply one_even_next; [lia|now exists l]|].
  intros a I. member I; lia.
Qed.

Theorem N1_1_5_4 l n : 1 <= l -> let L := 2 * l + 1 in let i := n mod (2 * L + 1) in
  (W_ [1; L; L + 1] n = false <-> Nat.Even i /\ i + 1 <= L).
Proof.
  intro H. cbv zeta. rewrite lost_without_cash; [apply one_odd_next; now exists l|]. intros a I.
  member I; lia.
Qed.

(** For every A from here on. *)

Theorem N2 A n d e :
  I_wins A n d e <-> exists a, In a A /\ a <= n /\ a <= d /\ II_wins A (n - a) e (d - a).
Proof. apply I_wins_iff. Qed.

Theorem N3_2_2 A n : positive A ->
  (W_ A n = true -> forall d, (forall e, I_wins A n d e) <-> fI_ A n <= d) /\
  (W_ A n = false -> forall e, (forall d, II_wins A n d e) <-> fII_ A n <= e).
Proof. intro P. split; intros H x; [apply fI_least|apply fII_least]; assumption. Qed.

Theorem N3_2_4_1 A n d e : positive A -> fI_ A n <= d -> e < fII_ A n -> I_wins A n d e.
Proof. intro P. now apply theorem_2_4_1. Qed.

Theorem N3_2_4_2 A n d e : positive A -> d < fI_ A n -> fII_ A n <= e -> II_wins A n d e.
Proof. intro P. now apply theorem_2_4_2. Qed.

Theorem N3_2_4_3 A n d e : positive A -> fI_ A n <= d -> fII_ A n <= e ->
  (I_wins A n d e <-> W_ A n = true).
Proof. intro P. now apply theorem_2_4_3. Qed.

Theorem N4_3_2 m n k : 0 < m -> gI m (n + 2 * k * m) = gI m n + k * m /\
  gII m (n + 2 * k * m) = gII m n + k * m.
Proof. intro H. now apply lemma_3_2. Qed.

Theorem N4_3_3 m a n : 0 < m -> m <= a -> a <= n -> gI m n <= gII m (n - a) + a.
Proof. intro H. now apply lemma_3_3. Qed.

Theorem N4_3_4 m n : 0 < m -> m <= n -> gII m n = gI m (n - m).
Proof. intro H. now apply lemma_3_4. Qed.

Theorem N4_3_5_1 A a1 n d e : positive A -> least A a1 -> e < gII a1 n -> e / a1 < d / a1 ->
  I_wins A n d e.
Proof. intros. now apply theorem_3_5_1 with a1. Qed.

Theorem N4_3_5_2 A a1 n d e : positive A -> least A a1 -> d < gI a1 n -> d / a1 <= e / a1 ->
  II_wins A n d e.
Proof. intros. now apply theorem_3_5_2 with a1. Qed.

Theorem N4_3_6_1 m n d e : 0 < m -> e < gII m n -> gI m n <= d -> e / m < d / m.
Proof. intro H. now apply lemma_3_6_1. Qed.

Theorem N4_3_6_2 m n d e : 0 < m -> d < gI m n -> gII m n <= e -> d / m <= e / m.
Proof. intro H. now apply lemma_3_6_2. Qed.

Theorem N4_3_7 A a1 n d e : positive A -> least A a1 -> d < gI a1 n \/ e < gII a1 n ->
  (I_wins A n d e <-> gI a1 n <= d \/ e < gII a1 n /\ e / a1 < d / a1).
Proof.
  intros P L H. destruct (le_lt_dec (gI a1 n) d) as [D|D].
  - destruct H as [H|E]; [lia|]. split; [auto|intros _; now apply theorem_3_7_1 with a1].
  - destruct (le_lt_dec (gII a1 n) e) as [E|E].
    + split; [|intros [?|[? _]]; lia]. intro I.
      destruct (not_both_win A P n d e); [now apply theorem_3_7_2 with a1|exact I].
    + rewrite (theorem_3_7_3 A P a1 L n d e D E). split; [auto|intros [?|[_ ?]]; [lia|assumption]].
Qed.

Theorem N5_restated A a1 n : positive A -> least A a1 ->
  (W_ A n = true -> gI a1 n <= fI_ A n) /\ (W_ A n = false -> gII a1 n <= fII_ A n).
Proof. intros. now apply note_4_2_winner. Qed.

Theorem N5_slack A a1 n : positive A -> least A a1 -> gI a1 n <= fI_ A n + a1 /\
  gII a1 n <= fII_ A n + a1.
Proof. intros. now apply note_4_2_both. Qed.

Theorem N6_4_5 A a n d e : In a A -> a <= n -> a <= d ->
  (short_II A (n - a) (d - a) = short_I A n d - C_I A n a /\ short_I A (n - a) e = short_II A n e -
    C_II A n a)%Z.
Proof. intros _ _ D. now apply lemma_4_5. Qed.

Theorem N6_4_7_1 m n d : 0 < m -> m <= n -> gI m n < d -> gII m (n - m) < d - m.
Proof. intro H. now apply lemma_4_7_1. Qed.

Theorem N6_4_7_2 m a n e : 0 < m -> m <= a -> a <= n -> gII m n < e -> gI m (n - a) < e.
Proof. intro H. now apply lemma_4_7_2. Qed.

(** For A = {1,L} and every even L. *)

Theorem N7_5_1 l n : 1 <= l -> let L := 2 * l in let i := n mod (L + 1) in
  (W_ [1; L] n = false <-> Nat.Even i /\ i + 2 <= L).
Proof. exact (N1_1_5_2 l n). Qed.

Lemma pair l : 1 <= l -> positive [1; 2 * l] /\ least [1; 2 * l] 1.
Proof. intro H. split; [|split; [now left|]]; intros a I; member I; lia. Qed.

(** f of the winner without cash, and of the other player. *)
Definition f_winner (A : list nat) (n : nat) : nat := if W_ A n then fI_ A n else fII_ A n.
Definition f_other (A : list nat) (n : nat) : nat := if W_ A n then fII_ A n else fI_ A n.

Lemma f_at A n w F G : at_ A n w F G -> f_winner A n = (if w then F else G) /\
  f_other A n = if w then G else F.
Proof. intros (E1 & E2 & E3). unfold f_winner, f_other. rewrite E1, E2, E3. now split. Qed.

Lemma half_even h : 2 * h / 2 = h.
Proof. rewrite Nat.mul_comm. now apply Nat.div_mul. Qed.
Lemma half_odd h : (2 * h + 1) / 2 = h.
Proof. symmetry. now apply Nat.div_unique with 1; [lia|]. Qed.

Theorem N7_5_2_1 l k i : 1 <= l -> let L := 2 * l in i < L -> f_winner [1; L] ((L + 1) * k + i) = L
  * k + (i + 1) / 2.
Proof.
  intros H L B. unfold L in *. clear L. destruct (Nat.Even_or_Odd i) as [[h ->]|[h ->]].
  - rewrite (proj1 (f_at _ _ _ _ _ (at_even l H k h ltac:(lia)))). rewrite half_odd. reflexivity.
  - rewrite (proj1 (f_at _ _ _ _ _ (at_odd l H k h ltac:(lia)))).
    replace (2 * h + 1 + 1) with (2 * (h + 1)) by lia. rewrite half_even. lia.
Qed.

Theorem N7_5_2_2 l k : 1 <= l -> let L := 2 * l in f_winner [1; L] ((L + 1) * k + L) = L * (k + 1).
Proof. intro H. exact (proj1 (f_at _ _ _ _ _ (at_top l H k))). Qed.

Theorem N7_5_3_1 l n : 1 <= l -> let L := 2 * l in n < L -> f_other [1; L] n = n / 2.
Proof.
  intros H L B. unfold L in *. clear L. replace n with ((2 * l + 1) * 0 + n) at 1 by lia.
  destruct (Nat.Even_or_Odd n) as [[h ->]|[h ->]].
  - rewrite (proj2 (f_at _ _ _ _ _ (at_even l H 0 h ltac:(lia)))). rewrite half_even. reflexivity.
  - rewrite (proj2 (f_at _ _ _ _ _ (at_odd l H 0 h ltac:(lia)))). rewrite half_odd. reflexivity.
Qed.

Theorem N7_5_3_2 l k i : 1 <= l -> let L := 2 * l in let n := (L + 1) * k + i in L <= n -> i < L ->
  f_other [1; L] n = L * k + i / 2 - l + 1.
Proof.
  intros H L n B D. unfold n, L in *. clear n L. destruct k as [|k]; [lia|].
  replace (S k) with (k + 1) by lia. pose proof (start_later l H k).
  destruct (Nat.Even_or_Odd i) as [[h ->]|[h ->]].
  - rewrite (proj2 (f_at _ _ _ _ _ (at_even l H (k + 1) h ltac:(lia)))). rewrite half_even. lia.
  - rewrite (proj2 (f_at _ _ _ _ _ (at_odd l H (k + 1) h ltac:(lia)))). rewrite half_odd. lia.
Qed.

Theorem N7_5_3_3 l k : 1 <= l -> let L := 2 * l in f_other [1; L] ((L + 1) * k + L) = L * k + l.
Proof. intro H. exact (proj2 (f_at _ _ _ _ _ (at_top l H k))). Qed.

Theorem N7_5_4 n : (Nat.Even n -> gI 1 n = n / 2 + 1 /\ gII 1 n = n / 2) /\
  (Nat.Odd n -> gI 1 n = (n - 1) / 2 + 1 /\ gII 1 n = (n - 1) / 2 + 1).
Proof.
  destruct (halves 1 ltac:(lia) n) as (q & r & R & [(E & -> & ->)|(E & -> & ->)]).
  - replace n with (q * 2) by lia. rewrite Nat.div_mul by lia. split; [lia|intros [j X]; lia].
  - split; [intros [j X]; lia|intros _]. replace (n - 1) with (q * 2) by lia.
    rewrite Nat.div_mul by lia. lia.
Qed.

Theorem N7_5_5_1 l k i : 1 <= l -> let L := 2 * l in let A := [1; L] in 1 <= k -> i <= L -> let n :=
  (L + 1) * k + i in
  (C_I A n 1 = (if (i =? L)%nat then Z.of_nat L - 1 else 0) /\ C_II A n 1 = 0)%Z.
Proof. intros H L A K B. replace k with (k - 1 + 1) by lia. now apply lemma_5_5_1. Qed.

Theorem N7_5_5_2_restated l k i : 1 <= l -> let L := 2 * l in let A := [1; L] in i <= L -> let n :=
  (L + 1) * k + i in 2 * L <= n ->
  (C_I A n L = 0 /\ C_II A n L = if (i =? L - 1)%nat then 0 else Z.of_nat L - 1)%Z.
Proof.
  intros H L A B n From. unfold n, A, L in *. clear n A L. destruct k as [|k]; [lia|].
  replace (S k) with (k + 1) in * by lia.
  now apply lemma_5_5_2.
Qed.

Theorem N7_5_5_restated l a n : 1 <= l -> let L := 2 * l in let A := [1; L] in In a A ->
  L + a <= n ->
  W_ A (n + L + 1) = W_ A n /\ C_I A (n + L + 1) a = C_I A n a /\ C_II A (n + L + 1) a = C_II A n a.
Proof.
  intros H L A I From. unfold A, L in *. clear A L.
  pose proof (Nat.div_mod n (2 * l + 1) ltac:(lia)) as E.
  pose proof (Nat.mod_upper_bound n (2 * l + 1) ltac:(lia)) as B. split.
  - rewrite !W_pair by exact H. replace (n + 2 * l + 1) with (n + 1 * (2 * l + 1)) by lia.
    now rewrite Nat.mod_add by lia.
  - remember (n / (2 * l + 1)) as k. remember (n mod (2 * l + 1)) as i. clear Heqk Heqi. subst n.
    destruct k as [|k]; [member I; lia|].
    replace ((2 * l + 1) * S k + i + 2 * l + 1) with ((2 * l + 1) * (k + 1 + 1) + i) by lia.
    replace (S k) with (k + 1) in * by lia. member I.
    + destruct (lemma_5_5_1 l H k i ltac:(lia)) as [-> ->].
      now destruct (lemma_5_5_1 l H (k + 1) i ltac:(lia)) as [-> ->].
    + destruct (lemma_5_5_2 l H k i ltac:(lia) ltac:(lia)) as [-> ->].
      now destruct (lemma_5_5_2 l H (k + 1) i ltac:(lia) ltac:(lia)) as [-> ->].
Qed.

Theorem N6_4_6_for_5_6 l k : 1 <= l -> 2 <= k -> let L := 2 * l in let A := [1; L] in let n i :=
  (L + 1) * k + i in
  solution_set A 1 (L + 1) (fun i a => C_I A (n i) a) (fun i a => C_II A (n i) a) (X_5_6 L).
Proof.
  intros H K L A n i b b' B b0 b'0. unfold n, A, L in *. clear n A L.
  replace k with (k - 1 + 1) by lia.
  destruct (lemma_5_6 l H i b b' B b0 b'0) as [In_X Out_X].
  destruct (c_of_1 l i) as [C1 C2]. destruct (c_of_L l H i) as [C3 C4].
  destruct (lemma_5_5_1 l H (k - 1) i ltac:(lia)) as [D1 D2].
  destruct (lemma_5_5_2 l H (k - 1) i ltac:(lia) ltac:(nia)) as [D3 D4].
  cbv zeta in *. rewrite C1, C2 in In_X. rewrite D1, D2. split; [exact In_X|]. intros O a I.
  specialize (Out_X O a I). member I.
  - rewrite C1, C2 in Out_X. rewrite D1, D2. exact Out_X.
  - rewrite C3, C4 in Out_X. rewrite D3, D4. exact Out_X.
Qed.

Theorem N7_5_6 l n d e : 1 <= l -> let L := 2 * l in let A := [1; L] in critical A 1 n d e ->
  (I_wins A n d e <-> X_5_6 L (n mod (L + 1)) (short_I A n d) (short_II A n e)).
Proof. intro H. now apply theorem_5_7_7. Qed.

Theorem N7_5_7_1 l n d e : 1 <= l -> let A := [1; 2 * l] in fI_ A n <= d -> e < fII_ A n ->
  I_wins A n d e.
Proof. intro H. now apply N3_2_4_1, pair. Qed.

Theorem N7_5_7_2 l n d e : 1 <= l -> let A := [1; 2 * l] in d < fI_ A n -> fII_ A n <= e ->
  II_wins A n d e.
Proof. intro H. now apply N3_2_4_2, pair. Qed.

Theorem N7_5_7_4 l n d e : 1 <= l -> gI 1 n <= d -> e < gII 1 n -> I_wins [1; 2 * l] n d e.
Proof. intros H D E. apply theorem_3_7_1 with 1; auto; now apply pair. Qed.

Theorem N7_5_7_5 l n d e : 1 <= l -> d < gI 1 n -> gII 1 n <= e -> II_wins [1; 2 * l] n d e.
Proof. intros H D E. apply theorem_3_7_2 with 1; auto; now apply pair. Qed.

Theorem N7_5_7_3_restated l n d e : 1 <= l -> let A := [1; 2 * l] in
  fI_ A n <= d -> fII_ A n <= e -> (I_wins A n d e <-> W_ A n = true).
Proof. intro H. now apply N3_2_4_3, pair. Qed.

Theorem N7_5_7_6_restated l n d e : 1 <= l -> d < gI 1 n -> e < gII 1 n ->
  (I_wins [1; 2 * l] n d e <-> e < d).
Proof.
  intros H D E. rewrite (theorem_3_7_3 [1; 2 * l] (proj1 (pair l H)) 1 (proj2 (pair l H)) n d e D
    E). now rewrite !Nat.div_1_r.
Qed.

Theorem N7_5_7_7_restated l n d e b b' : 1 <= l -> let L := 2 * l in let A := [1; L] in
  critical A 1 n d e ->
  (Z.of_nat d = Z.of_nat (fI_ A n) - b - 1 -> Z.of_nat e = Z.of_nat (fII_ A n) - b' - 1 ->
   (I_wins A n d e <-> X_5_6 L (n mod (L + 1)) b b'))%Z.
Proof.
  intros H L A C D E. pose proof (N7_5_6 l n d e H C) as Both.
  replace b with (short_I A n d) by (unfold short_I; lia).
  replace b' with (short_II A n e) by (unfold short_II; lia). exact Both.
Qed.

(** For A = {1,L,L+1}, every odd L >= 3 and every even L. *)

Theorem N8_6_1 l n : 1 <= l -> let L := 2 * l + 1 in let i := n mod (2 * L + 1) in
  (W_ [1; L; L + 1] n = false <-> Nat.Even i /\ i + 1 <= L).
Proof. exact (N1_1_5_4 l n). Qed.

Theorem N9_7_1 l n : 1 <= l -> let L := 2 * l in let i := n mod (2 * L) in
  (W_ [1; L; L + 1] n = false <-> Nat.Even i /\ i + 2 <= L).
Proof. exact (N1_1_5_3 l n). Qed.

Theorem N9_7_2 l k i : 1 <= l -> let L := 2 * l in i < 2 * L ->
  f_winner [1; L; L + 1] (2 * L * k + i) = 3 * L * k / 2 +
    (if i <? L then (i + 1) / 2 else L + (i - L + 1) / 2).
Proof.
  intros H L B. pose proof (proj1 (f_at _ _ _ _ _ (CashEvenNext.table l H k i B))) as E.
  fold L in E. rewrite E.
  replace (3 * L * k) with (3 * l * k * 2) by (unfold L; lia). rewrite Nat.div_mul by lia.
  unfold CashEvenNext.w, CashEvenNext.v1, CashEvenNext.v2. fold L.
  destruct (Nat.odd i) eqn:O; [reflexivity|].
  destruct (Nat.leb_spec L i); [reflexivity|]. cbn [orb].
  destruct (Nat.ltb_spec i (L + 1)), (Nat.ltb_spec i L); try lia.
  rewrite <- Nat.negb_even in O. apply negb_false_iff, Nat.even_spec in O as [h ->]. lia.
Qed.

Theorem N9_7_3 l k i : 1 <= l -> let L := 2 * l in i < 2 * L ->
  f_other [1; L; L + 1] (2 * L * k + i) = 3 * L * k / 2 +
    (if i <? L + 1 then i / 2 else L + (i - L) / 2).
Proof.
  intros H L B. pose proof (proj2 (f_at _ _ _ _ _ (CashEvenNext.table l H k i B))) as E.
  fold L in E. rewrite E.
  replace (3 * L * k) with (3 * l * k * 2) by (unfold L; lia). rewrite Nat.div_mul by lia.
  unfold CashEvenNext.w, CashEvenNext.v1, CashEvenNext.v2. fold L.
  destruct (Nat.odd i) eqn:O; [reflexivity|].
  destruct (Nat.leb_spec L i); [reflexivity|]. cbn [orb].
  destruct (Nat.ltb_spec i (L + 1)), (Nat.ltb_spec i L); try lia.
  rewrite <- Nat.negb_even in O. apply negb_false_iff, Nat.even_spec in O as [h ->]. lia.
Qed.

Theorem N9_7_4 l n a : 1 <= l -> let L := 2 * l in let A := [1; L; L + 1] in In a A -> a <= n ->
  W_ A (n + 2 * L) = W_ A n /\ C_I A (n + 2 * L) a = C_I A n a /\ C_II A (n + 2 * L) a = C_II A n a.
Proof. intros H L A. exact (cash_repeats A (2 * L) _ _ (CashEvenNext.lemma_7_4 l H) n a). Qed.

(** The costs of taking [a] from n = 2Lk + i stones. *)
Lemma even_costs l k i a : 1 <= l -> let L := 2 * l in let A := [1; L; L + 1] in let n :=
  2 * L * k + i in In a A -> i < 2 * L -> a <= n ->
  C_I A n a = CashEvenNext.c1 l i a /\ C_II A n a = CashEvenNext.c2 l i a.
Proof.
  intros H L A n I B Le. destruct (CashEvenNext.lemma_7_4 l H) as (_ & _ & Cs).
  rewrite <- (remainder (2 * L) k i B). now apply Cs.
Qed.

Theorem N9_7_4_1 l k i : 1 <= l -> let L := 2 * l in let A := [1; L; L + 1] in let n :=
  2 * L * k + i in i < 2 * L -> 1 <= n ->
  (C_I A n 1 = (if (i =? L)%nat || (i =? L + 1)%nat then Z.of_nat l else 0) /\ C_II A n 1 = 0)%Z.
Proof. intros H L A n B Le. exact (even_costs l k i 1 H (or_introl eq_refl) B Le). Qed.

Theorem N9_7_4_2 l k i : 1 <= l -> let L := 2 * l in let A := [1; L; L + 1] in let n :=
  2 * L * k + i in i < 2 * L -> L <= n ->
  (C_I A n L = Z.of_nat (i mod 2) - (if (1 <=? i)%nat && (i <? L)%nat then Z.of_nat l else 0) /\
   C_II A n L = (if (i <? L + 1)%nat then Z.of_nat l else Z.of_nat L) - Z.of_nat (i mod 2))%Z.
Proof.
  intros H L A n B Le. unfold n, A, L in *. clear n A L.
  destruct (even_costs l k i (2 * l) H (or_intror (or_introl eq_refl)) B Le) as [-> ->].
  unfold CashEvenNext.c1, CashEvenNext.c2. rewrite Nat.eqb_refl.
  destruct (Nat.eqb_spec (2 * l) 1); [lia|]. now split.
Qed.

Theorem N9_7_4_3 l k i : 1 <= l -> let L := 2 * l in let A := [1; L; L + 1] in let n :=
  2 * L * k + i in i < 2 * L -> L + 1 <= n ->
  (C_I A n (L + 1) = (if (2 <=? i)%nat && (i <? L)%nat then - Z.of_nat l else 0) /\
   C_II A n (L + 1) = (if (1 <=? i)%nat && (i <=? L)%nat then Z.of_nat l else Z.of_nat L))%Z.
Proof.
  intros H L A n B Le. unfold n, A, L in *. clear n A L.
  destruct (even_costs l k i (2 * l + 1) H (or_intror (or_intror (or_introl eq_refl))) B Le) as
    [-> ->].
  unfold CashEvenNext.c1, CashEvenNext.c2. destruct (Nat.eqb_spec (2 * l + 1) 1); [lia|].
  destruct (Nat.eqb_spec (2 * l + 1) (2 * l)); [lia|]. now split.
Qed.

Theorem N9_7_5 l n d e : 1 <= l -> let L := 2 * l in let A := [1; L; L + 1] in critical A 1 n d e ->
  let i := n mod (2 * L) in let b := short_I A n d in let b' := short_II A n e in let m :=
    Z.of_nat l in
  (I_wins A n d e <->
    (Nat.Odd i \/ i = L -> b' >= b / m * m) /\
    (Nat.Even i /\ i <> L -> b < b' / m * m))%Z.
Proof. intro H. exact (CashEvenNext.theorem_7_5 l H n d e). Qed.

Theorem N6_4_6_for_7_5 l k : 1 <= l -> 1 <= k -> let L := 2 * l in let A := [1; L; L + 1] in
  let n i := 2 * L * k + i in let m := Z.of_nat l in
  solution_set A 1 (2 * L) (fun i a => C_I A (n i) a) (fun i a => C_II A (n i) a) (fun i b b' =>
    (Nat.Odd i \/ i = L -> b' >= b / m * m) /\
    (Nat.Even i /\ i <> L -> b < b' / m * m))%Z.
Proof.
  intros H K L A n m. apply (same_costs A 1 (2 * L) (CashEvenNext.c1 l) (CashEvenNext.c2 l));
    [now left| |exact (CashEvenNext.lemma_7_5 l H)].
  intros i a B I. apply (even_costs l k i a H I B). assert (a <= 2 * L) by (member I; lia).
  unfold n. nia.
Qed.

Theorem N8_6_2 l k i : 1 <= l -> let L := 2 * l + 1 in i < 2 * L + 1 ->
  f_winner [1; L; L + 1] ((2 * L + 1) * k + i) = (3 * L + 1) * k / 2 +
    (if i <? L + 1 then (i + 1) / 2 else L + (i - L + 1) / 2).
Proof.
  intros H L B. pose proof (proj1 (f_at _ _ _ _ _ (CashOddTable.table l H k i B))) as E.
  fold L in E. rewrite E.
  replace ((3 * L + 1) * k) with ((3 * l + 2) * k * 2) by (unfold L; lia).
  rewrite Nat.div_mul by lia.
  unfold CashOddTable.w, CashOddTable.v1, CashOddTable.v2. fold L.
  destruct (Nat.odd i) eqn:O; [reflexivity|].
  destruct (Nat.leb_spec L i); [reflexivity|]. cbn [orb].
  destruct (Nat.ltb_spec i (L + 2)), (Nat.ltb_spec i (L + 1)); try lia.
  rewrite <- Nat.negb_even in O. apply negb_false_iff, Nat.even_spec in O as [h ->].
  now rewrite half_even, half_odd.
Qed.

Theorem N8_6_3 l k i : 1 <= l -> let L := 2 * l + 1 in i < 2 * L + 1 ->
  f_other [1; L; L + 1] ((2 * L + 1) * k + i) = (3 * L + 1) * k / 2 +
    (if i <? L + 2 then i / 2 else L + (i - L) / 2).
Proof.
  intros H L B. pose proof (proj2 (f_at _ _ _ _ _ (CashOddTable.table l H k i B))) as E.
  fold L in E. rewrite E.
  replace ((3 * L + 1) * k) with ((3 * l + 2) * k * 2) by (unfold L; lia).
  rewrite Nat.div_mul by lia.
  unfold CashOddTable.w, CashOddTable.v1, CashOddTable.v2. fold L.
  destruct (Nat.odd i) eqn:O; [reflexivity|].
  destruct (Nat.leb_spec L i); [reflexivity|]. cbn [orb].
  destruct (Nat.ltb_spec i (L + 2)), (Nat.ltb_spec i (L + 1)); try lia.
  rewrite <- Nat.negb_even in O. apply negb_false_iff, Nat.even_spec in O as [h ->].
  now rewrite half_even, half_odd.
Qed.

Theorem N8_6_4 l n a : 1 <= l -> let L := 2 * l + 1 in let A := [1; L; L + 1] in let m :=
  2 * L + 1 in In a A -> a <= n ->
  W_ A (n + m) = W_ A n /\ C_I A (n + m) a = C_I A n a /\ C_II A (n + m) a = C_II A n a.
Proof. intros H L A m. exact (cash_repeats A m _ _ (CashOddTable.lemma_6_4 l H) n a). Qed.

(** The costs of taking [a] from n = (2L+1)k + i stones. *)
Lemma odd_costs l k i a : 1 <= l -> let L := 2 * l + 1 in let A := [1; L; L + 1] in let n :=
  (2 * L + 1) * k + i in
  In a A -> i < 2 * L + 1 -> a <= n -> C_I A n a = CashOddTable.c1 l i a /\
    C_II A n a = CashOddTable.c2 l i a.
Proof.
  intros H L A n I B Le. destruct (CashOddTable.lemma_6_4 l H) as (_ & _ & Cs).
  rewrite <- (remainder (2 * L + 1) k i B). now apply Cs.
Qed.

Theorem N8_6_4_1 l k i : 1 <= l -> let L := 2 * l + 1 in let A := [1; L; L + 1] in let n :=
  (2 * L + 1) * k + i in i < 2 * L + 1 -> 1 <= n ->
  (C_I A n 1 = (if (i =? L + 1)%nat then Z.of_nat l + 1 else if (i =? L + 2)%nat then
    Z.of_nat l else 0) /\ C_II A n 1 = 0)%Z.
Proof. intros H L A n B Le. exact (odd_costs l k i 1 H (or_introl eq_refl) B Le). Qed.

Theorem N8_6_4_2 l k i : 1 <= l -> let L := 2 * l + 1 in let A := [1; L; L + 1] in let n :=
  (2 * L + 1) * k + i in i < 2 * L + 1 -> L <= n ->
  (C_I A n L = (if (1 <=? i)%nat && (i <? L + 1)%nat then - Z.of_nat l else if (i =? 0)%nat then
    0 else 1 - Z.of_nat (i mod 2)) /\
   C_II A n L = (if (i <=? L + 1)%nat then Z.of_nat l else Z.of_nat L -
     (1 - Z.of_nat (i mod 2))))%Z.
Proof.
  intros H L A n B Le. unfold n, A, L in *. clear n A L.
  destruct (odd_costs l k i (2 * l + 1) H (or_intror (or_introl eq_refl)) B Le) as [-> ->].
  unfold CashOddTable.c1, CashOddTable.c2. rewrite Nat.eqb_refl.
  destruct (Nat.eqb_spec (2 * l + 1) 1); [lia|]. now split.
Qed.

Theorem N8_6_4_3_restated l k i : 1 <= l -> let L := 2 * l + 1 in let A := [1; L; L + 1] in let n :=
  (2 * L + 1) * k + i in
  i < 2 * L + 1 -> L + 1 <= n ->
  (C_I A n (L + 1) = (if (2 <=? i)%nat && (i <=? L)%nat then Z.of_nat (i mod 2) - (Z.of_nat l + 1)
    else 0) /\
   C_II A n (L + 1) = (if (1 <=? i)%nat && (i <=? L + 1)%nat then Z.of_nat l + 1 - Z.of_nat
     (i mod 2) else Z.of_nat L))%Z.
Proof.
  intros H L A n B Le. unfold n, A, L in *. clear n A L.
  destruct (odd_costs l k i (2 * l + 1 + 1) H (or_intror (or_intror (or_introl eq_refl))) B Le) as
    [-> ->].
  unfold CashOddTable.c1, CashOddTable.c2. destruct (Nat.eqb_spec (2 * l + 1 + 1) 1); [lia|].
  destruct (Nat.eqb_spec (2 * l + 1 + 1) (2 * l + 1)); [lia|]. now split.
Qed.

Theorem N8_6_5_restated l n d e : 1 <= l -> let L := 2 * l + 1 in let A := [1; L; L + 1] in
  critical A 1 n d e ->
  let i := n mod (2 * L + 1) in let b := short_I A n d in let b' := short_II A n e in let m :=
    Z.of_nat L in
  (I_wins A n d e <->
    ((i < L + 1)%nat /\ Nat.Even i \/ (i > L + 1)%nat /\ Nat.Odd i ->
      b' >= (b + Z.of_nat l + 1) / m * m) /\
    ((i < L + 1)%nat /\ Nat.Odd i \/ (i > L + 1)%nat /\ Nat.Even i -> b' >= b / m * m + Z.of_nat l)
      /\
    (i = (L + 1)%nat -> b' >= b / m * m))%Z.
Proof. intro H. exact (CashOddNext.theorem_6_5 l H n d e). Qed.

Theorem N6_4_6_for_6_5_restated l k : 1 <= l -> 1 <= k ->
  let L := 2 * l + 1 in let A := [1; L; L + 1] in let n i := (2 * L + 1) * k + i in let m :=
    Z.of_nat L in
  solution_set A 1 (2 * L + 1) (fun i a => C_I A (n i) a) (fun i a => C_II A (n i) a) (fun i b b' =>
    ((i < L + 1)%nat /\ Nat.Even i \/ (i > L + 1)%nat /\ Nat.Odd i ->
      b' >= (b + Z.of_nat l + 1) / m * m) /\
    ((i < L + 1)%nat /\ Nat.Odd i \/ (i > L + 1)%nat /\ Nat.Even i -> b' >= b / m * m + Z.of_nat l)
      /\
    (i = (L + 1)%nat -> b' >= b / m * m))%Z.
Proof.
  intros H K L A n m. apply (same_costs A 1 (2 * L + 1) (CashOddTable.c1 l) (CashOddTable.c2 l));
    [now left| |exact (CashOddNext.lemma_6_5 l H)].
  intros i a B I. apply (odd_costs l k i a H I B). assert (a <= 2 * L + 1) by (member I; lia).
  unfold n. nia.
Qed.

(** For A = {L..M} and all 1 <= L < M. *)

Theorem N10_8_1_restated L M n : 1 <= L -> L + 1 <= M -> let A := from_to L M in
  let o := max (2 * L * ((2 * L - 1 + (M - L) - 1) / (M - L)) - 1) (3 * L - 1) in o <= n ->
  fI_ A (n + L + M) = fI_ A n + M /\ fII_ A (n + L + M) = fII_ A n + M.
Proof.
  intros H H' A o From. unfold A. clear A. pose proof (offset L (M - L) H ltac:(lia) n From) as E.
  replace (L + (M - L)) with M in E by lia. exact E.
Qed.

Theorem N10_8_1_least_offset L M : 2 <= L -> L + 1 <= M -> let A := from_to L M in
  let n := max (2 * L * ((2 * L - 1 + (M - L) - 1) / (M - L)) - 1) (3 * L - 1) - 1 in
  ~ (fI_ A (n + L + M) = fI_ A n + M /\ fII_ A (n + L + M) = fII_ A n + M).
Proof.
  intros H H' A n. unfold A. clear A. pose proof (offset_least L (M - L) ltac:(lia) ltac:(lia) H) as
    E.
  replace (L + (M - L)) with M in E by lia. exact E.
Qed.

Theorem N11_restated L M n d e : 1 <= L -> L + 1 <= M -> let A := from_to L M in
  critical A L n d e ->
  (I_wins A n d e <-> X_8_2 L M (n mod (L + M)) (short_I A n d) (short_II A n e)).
Proof.
  intros H H' A. unfold A. clear A. pose proof (critical_8_2 L (M - L) H ltac:(lia) n d e) as E.
  replace (L + (M - L)) with M in E by lia. exact E.
Qed.

(** For every A again: the least purses t^I, t^II that f^I, f^II are meant to be. *)

From Bouton Require Import CashPurses.
From Bouton Require CashRates CashSeveralRates.

(** There are such purses; that of the player who loses without cash is no more than f of this
    player. *)
Theorem N3_2_3_restated A n : positive A -> (exists tI tII, least_purses A n tI tII) /\
  forall tI tII, least_purses A n tI tII -> (if W_ A n then tII else tI) <= f_other A n.
Proof.
  intro P. split; [now apply least_purses_exist|]. intros tI tII H.
  pose proof (purse_that_helps A P n tI tII H) as E. unfold f_other.
  destruct (W_ A n); exact E.
Qed.

Theorem N3_2_4_with_least_purses A n tI tII d e : positive A -> least_purses A n tI tII ->
  (tI <= d -> e < tII -> I_wins A n d e) /\ (d < tI -> tII <= e -> II_wins A n d e) /\
  (tI <= d -> tII <= e -> (I_wins A n d e <-> W_ A n = true)).
Proof.
  intros P H. pose proof (theorem_2_4_least A P n tI tII H d e) as T. split; [|split].
  - intros D E. apply T; [now left|]. split; [lia|exact D].
  - intros D E. destruct (one_wins A P n d e) as [I|II]; [|exact II]. apply T in I; [lia|now right].
  - intros D E. rewrite T by now left. tauto.
Qed.

(** For A = {3,5,6,10,11}. *)

Lemma nth_of_map (f : nat -> nat) n i : i < n -> nth i (map f (seq 0 n)) 0 = f i.
Proof. intro L. rewrite (nth_indep _ 0 (f 0)) by now rewrite map_length, seq_length.
now rewrite map_nth, seq_nth. Qed.

Lemma fI_in_place k i v : i < 16 -> nth i
  (map (fun i => fI_ [3; 5; 6; 10; 11] (16 * k + i)) (seq 0 16)) 0 = v ->
  fI_ [3; 5; 6; 10; 11] (16 * k + i) = v.
Proof. intros L <-. exact (eq_sym (nth_of_map (fun i => fI_ [3; 5; 6; 10; 11] (16 * k + i)) 16 i
  L)). Qed.

(** f^I(16k) grows by 11 and f^I(16k+4) by 10 with each k; there is no period m with one rate B, not
    even from some n on. *)
Theorem N12 : let A := [3; 5; 6; 10; 11] in
  (forall k, 6 <= k -> fI_ A (16 * (k + 1)) = fI_ A (16 * k) + 11 /\
    fI_ A (16 * (k + 1) + 4) = fI_ A (16 * k + 4) + 10) /\
  ~ exists m B from, 0 < m /\ forall n, from <= n -> fI_ A (n + m) = fI_ A n + B.
Proof.
  intro A. split; [|exact CashSeveralRates.no_single_rate]. intros k K. unfold A. clear A.
  assert (V : forall x, 5 <= x -> fI_ [3; 5; 6; 10; 11] (16 * x) = 11 * x + 2 /\
    fI_ [3; 5; 6; 10; 11] (16 * x + 4) = 10 * x + 3).
  { intros x X. pose proof (CashSeveralRates.fI_9 x X) as E. unfold CashSeveralRates.A9 in E. split.
    - rewrite <- (Nat.add_0_r (16 * x)). apply fI_in_place; [lia|]. rewrite E. reflexivity.
    - apply fI_in_place; [lia|]. rewrite E. reflexivity. }
  destruct (V k ltac:(lia)) as [-> ->]. destruct (V (k + 1) ltac:(lia)) as [-> ->]. lia.
Qed.

Theorem N12_not_cash_periodic : let A := [3; 5; 6; 10; 11] in
  (forall k, 6 <= k -> (C_II A (16 * (k + 1)) 5 = C_II A (16 * k) 5 + 1)%Z) /\
    ~ exists m c1 c2, cash_periodic A m c1 c2.
Proof.
  intro A. split; [|exact CashSeveralRates.not_cash_periodic_9]. intros k K.
  pose proof (CashSeveralRates.C_II_9 k ltac:(lia)) as E.
  pose proof (CashSeveralRates.C_II_9 (k + 1) ltac:(lia)) as E'. unfold CashSeveralRates.A9 in *.
  unfold A. rewrite E, E'. lia.
Qed.

(** The values for i = 0, 1, ..., 15. *)
Theorem N13_I_restated k : 6 <= k -> let A := [3; 5; 6; 10; 11] in
  map (fun i => fI_ A (16 * k + i)) (seq 0 16) =
  [11 * k + 2; 11 * k - 2; 11 * k + 4; 10 * k + 5; 10 * k + 3; 11 * k + 3; 10 * k + 5; 10 * k + 6;
    11 * k + 6; 11 * k + 5; 11 * k + 10;
   10 * k + 10; 10 * k + 8; 11 * k + 11; 10 * k + 10; 10 * k + 11].
Proof. intro K. apply CashSeveralRates.fI_9. lia. Qed.

Theorem N13_II_restated k : 6 <= k -> let A := [3; 5; 6; 10; 11] in
  map (fun i => fII_ A (16 * k + i)) (seq 0 16) =
  [11 * k; 10 * k; 11 * k; 11 * k + 2; 11 * k - 1; 11 * k + 4; 11 * k + 2; 11 * k + 4; 11 * k + 4;
    10 * k + 5; 11 * k + 3; 11 * k + 6;
   11 * k + 5; 11 * k + 10; 11 * k + 6; 11 * k + 10].
Proof. intro K. apply CashSeveralRates.fII_9. lia. Qed.

(** f of whoever wins without cash, for every A that is not empty, a subset of {1..8}. *)
Theorem N12_B_i A : In A (CashRates.subsets [1; 2; 3; 4; 5; 6; 7; 8]) -> A <> [] ->
  exists m from B, 0 < m /\
  forall k i, from <= k -> i < m -> f_winner A (m * (k + 1) + i) = f_winner A (m * k + i) + B i.
Proof.
  intros I Ne. destruct (CashRates.rates_8 A I Ne) as (m & from & BI & BII & M & H).
  assert (Ws : forall j i, i < m -> W_ A (m * (from + j) + i) = W_ A (m * from + i)).
  { induction j as [|j IH]; intros i L; [now rewrite Nat.add_0_r|].
    replace (from + S j) with (from + j + 1) by lia.
    rewrite (proj1 (H (from + j) i ltac:(lia) L)). now apply IH. }
  exists m, from, (fun i => if W_ A (m * from + i) then BI i else BII i). split; [exact M|].
  intros k i K L. destruct (H k i K L) as (E & E1 & E2).
  specialize (Ws (k - from) i L). replace (from + (k - from)) with k in Ws by lia. unfold f_winner.
  rewrite E, Ws.
  destruct (W_ A (m * from + i)); assumption.
Qed.

(** Kotzig's Nim. *)

From Bouton Require Import Kotzig.
From Bouton Require KotzigLadder.

Theorem K13 m1 m2 n : Nat.Odd m1 -> Nat.Odd m2 -> Nat.Even n -> 0 < n -> Gamma_in_N [m1; m2] n.
Proof.
  intros O1 O2 E Z. apply (odd_steps [m1; m2] n m1); [exact Z|now apply Nat.even_spec| |now left].
  intros b [<-|[<-|[]]]; rewrite <- Nat.negb_odd; apply negb_false_iff; now apply Nat.odd_spec.
Qed.

Theorem K14_modulo_n a b n : 0 < n -> same_outcome [a; b] n [a; b + n] n.
Proof.
  intro Z. assert (E : b mod n = (b + n) mod n) by (replace (b + n) with (b + 1 * n) by lia;
    now rewrite Nat.mod_add by lia).
  apply same_modulo; [exact Z| |].
  - intros x [<-|[<-|[]]]; [exists a|exists (b + n)]; (split; [|assumption || reflexivity]);
      [now left|right; now left].
  - intros x [<-|[<-|[]]]; [exists a|exists b]; (split; [|assumption || reflexivity]);
      [now left|right; now left].
Qed.

Theorem K14_multiples a b c g : 0 < c -> 0 < g -> same_outcome [a; b] c [g * a; g * b] (g * c).
Proof. exact (same_multiple [a; b] c g). Qed.

Theorem K14_units a b n u : 0 < n -> Nat.gcd u n = 1 -> same_outcome [a; b] n [u * a; u * b] n.
Proof. exact (same_unit [a; b] n u). Qed.

Theorem K17 m1 m2 : 0 < m1 -> 0 < m2 -> Gamma_in_N [m1; m2] (2 * (m1 + m2)).
Proof. apply KotzigLadder.twice_the_sum. Qed.

Theorem K18 m1 m2 : 0 < m1 -> m1 < m2 -> Gamma_in_N [m1; m2] (2 * m1).
Proof. intros Z _. apply half_the_circle; [exact Z|now left]. Qed.

Theorem K18_m1_m2 m1 m2 : 0 < m2 -> m2 < m1 -> Gamma_in_N [m2; m1] (2 * m1).
Proof. intros Z L. apply half_the_circle; [lia|right; now left]. Qed.

(** A proof that a position is P is an answer to each move, and so on: the strategy tree. *)
Theorem K28_Figure_1 : Gamma_in_P [1; 2] 7.
Proof. apply (proj1 (lost_won 8 [1; 2] 7 0 [])). vm_compute. reflexivity. Qed.

(** Nim-values (Michon). What function is the nim-value is decided by [nim_values] where play ends:
    [only_nim_values]. *)

From Bouton Require Import Sums Wythoff.

Theorem M6 (state state' : Type) (move : state -> state -> Prop) (move' : state' -> state' -> Prop)
  g g' :
  nim_values move g -> nim_values move' g' ->
    nim_values (sum move move') (fun p => N.lxor (g (fst p)) (g' (snd p))).
Proof. apply nim_values_of_sum. Qed.

(** The row y, the column x, and the diagonals from (0,d) and from (d,0). *)
Theorem M16 : (exists g, nim_values queen g) /\ forall g, nim_values queen g -> forall v,
  (forall y, exists! x, g (x, y) = v) /\ (forall x, exists! y, g (x, y) = v) /\
  (forall d, exists! i, g (i, i + d) = v) /\ (forall d, exists! i, g (i + d, i) = v).
Proof.
  split; [exact queen_has_nim_values|]. intros g V v.
  destruct (each_line_once g V v) as (C & R & D & D'). auto.
Qed.

(** Any number of queens. *)
Theorem M18 g : nim_values queen g -> nim_values (one_of queen)
  (fun queens => nim_sum (map g queens)).
Proof. apply nim_values_of_many. Qed.
