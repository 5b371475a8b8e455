(** NIM with Cash for A = {1, L} and every even L = 2l >= 2: section 5 of Gasarch, Purtilo,
  Ulrich. *)

From Coq Require Import List Arith ZArith Lia Bool Wf_nat.
From Bouton Require Import Positions Outcomes Subtraction Cash CashTables.
Import ListNotations.
Open Scope nat_scope.

(** * W, f^I and f^II of n stones from those of n-1 and n-y *)

Section Steps.
  Variable y : nat.
  Hypothesis y2 : 2 <= y.
  Notation A := [1; y].

  Lemma one_or_y : positive A.
  Proof. intros a I. member I; lia. Qed.

  Lemma no_stones : at_ A 0 false 0 0.
  Proof.
    pose proof (two_takings A one_or_y 1 y eq_refl 0) as (D1 & _ & _ & D2 & _ & _ & D3).
    repeat split; [|lia..].
    destruct (W_ A 0); [|reflexivity]. destruct (proj1 D1 eq_refl) as [[? _]|[? _]]; lia.
  Qed.

  Lemma only_one n m w F G : n = m + 1 -> n < y -> at_ A m w F G -> at_ A n (negb w) (G + 1) F.
  Proof.
    intros E B (E1 & E2 & E3). pose proof (two_takings A one_or_y 1 y eq_refl n) as D.
    replace (n - 1) with m in D by lia.
    rewrite E1, E2, E3 in D. destruct D as (D1 & D2 & _ & D4 & D5 & _ & D7).
    assert (V : W_ A n = negb w)
      by (destruct w, (W_ A n); cbn; try reflexivity;
        [destruct (proj1 D1 eq_refl) as [[_ ?]|[? _]]; [discriminate|lia]|apply D1; left; split;
          auto; lia]).
    assert (V2 : fII_ A n = F) by lia. rewrite V, V2 in D5, D7. split; [exact V|split; [|exact V2]].
    destruct D7 as [(_ & _ & ?)|[(? & _)|(? & _)]]; lia.
  Qed.

  Lemma only_won n m F G : n = m + 1 -> n < y -> at_ A m true F G -> at_ A n false (G + 1) F.
  Proof. exact (only_one n m true F G). Qed.
  Lemma only_lost n m F G : n = m + 1 -> n < y -> at_ A m false F G -> at_ A n true (G + 1) F.
  Proof. exact (only_one n m false F G). Qed.

  Section Two.
    Variables n m m' F G F' G' : nat.
    Hypotheses (E : n = m + 1) (E' : n = m' + y).

    Lemma from w w' : at_ A m w F G -> at_ A m' w' F' G' ->
      W_ A n = negb (w && w') /\ fII_ A n = max F F' /\
      let fair b V := if W_ A n then b = false else V = fII_ A n in
      (fair w F -> fI_ A n <= G + 1) /\ (fair w' F' -> fI_ A n <= G' + y) /\
      (fair w F /\ fI_ A n = G + 1 \/ fair w' F' /\ fI_ A n = G' + y).
    Proof.
      intros (E1 & E2 & E3) (E4 & E5 & E6). pose proof (two_takings A one_or_y 1 y eq_refl n) as D.
      replace (n - 1) with m in D by lia. replace (n - y) with m' in D by lia.
      rewrite E1, E2, E3, E4, E5, E6 in D.
      destruct D as (D1 & D2 & D3 & D4 & D5 & D6 & D7). split; [|split].
      - destruct w, w', (W_ A n); cbn; try reflexivity;
          try (apply D1; (left; split; [lia|reflexivity]) || (right; split; [lia|reflexivity])).
          destruct (proj1 D1 eq_refl) as [[_ ?]|[_ ?]]; discriminate.
      - lia.
      - cbv zeta. split; [apply D5; lia|split; [apply D6; lia|]].
        destruct D7 as [(_ & ?)|[(_ & ?)|?]]; [left|right|lia]; assumption.
    Qed.

    Lemma won_won : at_ A m true F G -> at_ A m' true F' G' -> F' < F -> at_ A n false (G + 1) F.
    Proof. intros P P' Lt. destruct (from _ _ P P') as (V & V2 & H). cbn [negb andb] in V.
    rewrite V in H. cbv beta zeta iota in H. split; [exact V|lia]. Qed.

    Lemma lost_won : at_ A m false F G -> at_ A m' true F' G' -> at_ A n true (G + 1) (max F F').
    Proof.
      intros P P'. destruct (from _ _ P P') as (V & V2 & _ & _ & H). cbn [negb andb] in V.
      rewrite V in H. split; [exact V|split; [|exact V2]].
      destruct H as [[_ H]|[H _]]; [exact H|discriminate H].
    Qed.

    Lemma won_lost : at_ A m true F G -> at_ A m' false F' G' -> at_ A n true (G' + y) (max F F').
    Proof.
      intros P P'. destruct (from _ _ P P') as (V & V2 & _ & _ & H). cbn [negb andb] in V.
      rewrite V in H. split; [exact V|split; [|exact V2]].
      destruct H as [[H _]|[_ H]]; [discriminate H|exact H].
    Qed.

    Lemma lost_lost : at_ A m false F G -> at_ A m' false F' G' ->
      at_ A n true (min (G + 1) (G' + y)) (max F F').
    Proof.
      intros P P'. destruct (from _ _ P P') as (V & V2 & H1 & H2 & H). cbn [negb andb] in V.
      rewrite V in H, H1, H2. split; [exact V|split; [|exact V2]].
      specialize (H1 eq_refl). specialize (H2 eq_refl). lia.
    Qed.
  End Two.
End Steps.

Lemma at_same A n w F G F' G' : at_ A n w F G -> F = F' -> G = G' -> at_ A n w F' G'.
Proof. now intros H -> ->. Qed.

(** * Multiples of m at or below x *)

Section Floors.
  Open Scope Z_scope.
  Variable m : Z.
  Hypothesis m1 : 0 < m.
  Notation floor x := (x / m * m).

  Lemma floor_le x : floor x <= x < floor x + m.
  Proof. pose proof (Z.mul_div_le x m m1). pose proof (Z.mul_succ_div_gt x m m1). lia. Qed.
  Lemma floor_mono x y : x <= y -> floor x <= floor y.
  Proof. intro H. apply Z.mul_le_mono_nonneg_r; [lia|]. now apply Z.div_le_mono. Qed.
  Lemma floor_of_floor x y : floor x <= y -> floor x <= floor y.
  Proof. intro H. apply floor_mono in H. now rewrite Z.div_mul in H by lia. Qed.
  Lemma floor_lt x y : y < floor x -> floor y <= floor x - m.
  Proof.
    intro H. assert (y / m < x / m) by (apply Z.div_lt_upper_bound; lia).
    replace (floor x - m) with ((x / m - 1) * m) by lia. apply Z.mul_le_mono_nonneg_r; lia.
  Qed.
  Lemma floor_minus x : floor (x - m) = floor x - m.
  Proof. replace (x - m) with (x + (-1) * m) by lia. rewrite Z.div_add by lia. lia. Qed.

  (** All that is used of b and b'. *)
  Lemma floors b b' : 0 <= b -> 0 <= b' -> 0 < m /\ (0 <= floor b <= b /\ b < floor b + m) /\
    (0 <= floor b' <= b' /\ b' < floor b' + m) /\
    (floor b <= b' -> floor b <= floor b') /\ (floor b' <= b -> floor b' <= floor b) /\
    (b' < floor b -> floor b' <= floor b - m) /\ (b < floor b' -> floor b <= floor b' - m) /\
    floor (b - m) = floor b - m /\ floor (b' - m) = floor b' - m.
  Proof.
    intros H H'. pose proof (floor_le b). pose proof (floor_le b'). pose proof (floor_mono 0 b H).
    pose proof (floor_mono 0 b' H').
    rewrite Z.div_0_l in * by lia. repeat split; auto using floor_of_floor, floor_lt, floor_minus;
      lia.
  Qed.
End Floors.

(** Ends what [floors] decides: its facts are [Facts]. *)
Ltac settle_floors :=
  rewrite ?Z.sub_0_r; repeat match goal with
    | H : context [(?x / ?m * ?m)%Z] |- _ => let p := fresh "p" in set (p := (x / m * m)%Z) in *;
      clearbody p
    | |- context [(?x / ?m * ?m)%Z] => let p := fresh "p" in set (p := (x / m * m)%Z) in *;
      clearbody p end; lia.

(** The set X of Lemma 5.6, of triples (i; b, b'): b less than the multiple of L-1 at or below b',
    if i is one of 0, 2, ..., L-2; for other i, b' no less than the multiple of L-1 at or below
      b. *)
Definition X_5_6 (L i : nat) (b b' : Z) : Prop :=
  let m := (Z.of_nat L - 1)%Z in
  if Nat.even i && (i + 2 <=? L) then (b < b' / m * m)%Z else (b / m * m <= b')%Z.

Section Five.
  Variable l : nat.
  Hypothesis l1 : 1 <= l.
  Notation L := (2 * l).
  Notation A := [1; 2 * l].

  Lemma L2 : 2 <= L.
  Proof. lia. Qed.

  Lemma pair_positive : positive A.
  Proof. exact (one_or_y L L2). Qed.
  Lemma pair_least : least A 1.
  Proof. split; [now left|]. intros a I. member I; lia. Qed.

  (** * Lemmas 5.1, 5.2 and 5.3 *)

  (** The values of n from P at n-1, and from P and Q at n-1 and n-L. *)
  Ltac from_one lemma n P := eapply at_same; [eapply (lemma L L2 n); [| |exact P]; lia|lia..].
  Ltac from_two lemma n P Q := eapply at_same;
    [eapply (lemma L L2 n); [| |exact P|exact Q|..]; lia|lia..].

  (** The L+1 numbers from N on: remainders 2h and 2h+1 below L, and L itself. f of the winner
      begins at z, that of the other at s. *)
  Definition low (N z s h : nat) : Prop := at_ A (N + 2 * h) false (s + h) (z + h) /\
    at_ A (N + 2 * h + 1) true (z + h + 1) (s + h).
  Definition top (N z : nat) : Prop := at_ A (N + L) true (z + L) (z + l).
  Definition stretch (N z s : nat) : Prop := (forall h, h < l -> low N z s h) /\ top N z.

  Lemma first_stretch : stretch 0 0 0.
  Proof.
    assert (Low : forall h, h < l -> low 0 0 0 h).
    { intro h. induction h as [|h IH]; intro H.
      - pose proof (no_stones L L2) as P. split; [exact P|]. from_one only_lost (0 + 2 * 0 + 1) P.
      - destruct (IH ltac:(lia)) as [_ P]. assert
          (P' : at_ A (0 + 2 * S h) false (0 + S h) (0 + S h)) by from_one only_won (0 + 2 * S h) P.
        split; [exact P'|]. from_one only_lost (0 + 2 * S h + 1) P'. }
    split; [exact Low|]. destruct (Low (l - 1) ltac:(lia)) as [_ P].
    destruct (Low 0 ltac:(lia)) as [Q _].
    from_two won_lost (0 + L) P Q.
  Qed.

  Lemma next_stretch N z s : s <= z + 1 -> s <= z + l -> stretch N z s ->
    stretch (N + L + 1) (z + L) (z + l + 1).
  Proof.
    intros Small Small' [Before Top]. set (N' := N + L + 1). set (z' := z + L).
    set (s' := z + l + 1).
    assert (Odd : forall h, h < l -> at_ A (N' + 2 * h) false (s' + h) (z' + h) ->
      at_ A (N' + 2 * h + 1) true (z' + h + 1) (s' + h)).
    { intros h H P. destruct (Nat.eq_dec (S h) l) as [E|E].
      - from_two lost_won (N' + 2 * h + 1) P Top.
      - destruct (Before (S h) ltac:(lia)) as [Q _].
        from_two lost_lost (N' + 2 * h + 1) P Q. }
    assert (Low : forall h, h < l -> low N' z' s' h).
    { intro h. induction h as [|h IH]; intro H; destruct (Before _ H) as [_ Q].
      - assert (P : at_ A (N' + 2 * 0) false (s' + 0) (z' + 0)) by from_two won_won (N' + 2 * 0) Top
          Q.
        split; [exact P|]. now apply Odd.
      - destruct (IH ltac:(lia)) as [_ T]. assert
          (P : at_ A (N' + 2 * S h) false (s' + S h) (z' + S h)) by from_two won_won (N' + 2 * S h)
            T Q.
        split; [exact P|]. now apply Odd. }
    split; [exact Low|]. destruct (Low (l - 1) ltac:(lia)) as [_ P].
    destruct (Low 0 ltac:(lia)) as [Q _].
    from_two won_lost (N' + L) P Q.
  Qed.

  (** Where f of the other player begins. *)
  Definition start (k : nat) : nat := if k =? 0 then 0 else L * k + 1 - l.

  Lemma stretches k : stretch ((L + 1) * k) (L * k) (start k).
  Proof.
    induction k as [|k IH]; [rewrite !Nat.mul_0_r; exact first_stretch|].
    assert (B : start k <= L * k + 1 /\ start k <= L * k + l) by (unfold start;
      destruct (Nat.eqb_spec k 0); lia).
    replace ((L + 1) * S k) with ((L + 1) * k + L + 1) by lia.
    replace (L * S k) with (L * k + L) by lia.
    replace (start (S k)) with (L * k + l + 1) by (unfold start; cbn [Nat.eqb]; lia).
    now apply next_stretch with (start k).
  Qed.

  (** Lemmas 5.1, 5.2 and 5.3 for n = (L+1)k + i. *)
  Theorem at_even k h : h < l -> at_ A ((L + 1) * k + 2 * h) false (start k + h) (L * k + h).
  Proof. intro H. apply (stretches k), H. Qed.
  Theorem at_odd k h : h < l -> at_ A ((L + 1) * k + (2 * h + 1)) true (L * k + h + 1)
    (start k + h).
  Proof. intro H. rewrite Nat.add_assoc. apply (stretches k), H. Qed.
  Theorem at_top k : at_ A ((L + 1) * k + L) true (L * (k + 1)) (L * k + l).
  Proof. replace (L * (k + 1)) with (L * k + L) by lia. apply (stretches k). Qed.

  (** Every n is one of these; [i] is its remainder. *)
  Lemma cases n : exists k i, n = (L + 1) * k + i /\ i = n mod (L + 1) /\
    ((exists h, i = 2 * h /\ h < l) \/ (exists h, i = 2 * h + 1 /\ h < l) \/ i = L).
  Proof.
    exists (n / (L + 1)), (n mod (L + 1)). pose proof (Nat.div_mod n (L + 1) ltac:(lia)) as E.
    pose proof (Nat.mod_upper_bound n (L + 1) ltac:(lia)) as B.
    split; [exact E|split; [reflexivity|]].
    clear E. destruct (Nat.Even_or_Odd (n mod (L + 1))) as [[h E]|[h E]].
    - destruct (Nat.eq_dec (n mod (L + 1)) L); [now right; right|]. left. exists h. lia.
    - right. left. exists h. lia.
  Qed.

  (** The remainders at which Player II wins without cash. *)
  Definition second (i : nat) : bool := Nat.even i && (i + 2 <=? L).

  Lemma second_even h : h < l -> second (2 * h) = true.
  Proof. intro H. unfold second. rewrite Nat.even_mul. cbn [Nat.even orb andb]. apply Nat.leb_le.
  lia. Qed.
  Lemma second_odd h : second (2 * h + 1) = false.
  Proof. unfold second. rewrite Nat.even_add, Nat.even_mul. reflexivity. Qed.
  Lemma second_top : second L = false.
  Proof. unfold second. replace (L + 2 <=? L) with false by (symmetry; apply Nat.leb_gt; lia).
  now rewrite andb_false_r. Qed.

  Lemma W_pair n : W_ A n = negb (second (n mod (L + 1))).
  Proof.
    destruct (cases n) as (k & i & E & R & D). rewrite <- R, E. clear R E.
    destruct D as [(h & -> & H)|[(h & -> & H)| ->]].
    - rewrite second_even by exact H. apply at_even, H.
    - rewrite second_odd. apply at_odd, H.
    - rewrite second_top. apply at_top.
  Qed.

  Lemma start_later k : start (k + 1) = L * k + l + 1.
  Proof. unfold start. destruct (Nat.eqb_spec (k + 1) 0); lia. Qed.

  (** * Lemma 5.5 *)

  Open Scope Z_scope.

  Lemma C_from n m a w F G w' F' G' : at_ A n w F G -> at_ A m w' F' G' -> (n = m + a)%nat ->
    C_I A n a = Z.of_nat F - Z.of_nat G' - Z.of_nat a /\ C_II A n a = Z.of_nat G - Z.of_nat F'.
  Proof. intros (_ & E1 & E2) (_ & E3 & E4) E. unfold C_I, C_II. replace (n - a)%nat with m by lia.
  now rewrite E1, E2, E3, E4. Qed.

  (** Lemma 5.5 (1), from k = 1 on. *)
  Theorem lemma_5_5_1 k i : (i <= L)%nat -> let n := ((L + 1) * (k + 1) + i)%nat in
    C_I A n 1 = (if (i =? L)%nat then Z.of_nat L - 1 else 0) /\ C_II A n 1 = 0.
  Proof.
    intros B n. unfold n. clear n. pose proof (start_later k) as Start.
    destruct (Nat.eqb_spec i L) as [->|D].
    - destruct (C_from _ _ 1%nat _ _ _ _ _ _ (at_top (k + 1)) (at_odd (k + 1) (l - 1) ltac:(lia))
        ltac:(lia)) as [-> ->]. lia.
    - destruct (Nat.Even_or_Odd i) as [[[|h] ->]|[h ->]].
      + destruct (C_from _ _ 1%nat _ _ _ _ _ _ (at_even (k + 1) 0 ltac:(lia)) (at_top k) ltac:(lia))
          as [-> ->]. lia.
      + destruct (C_from _ _ 1%nat _ _ _ _ _ _ (at_even (k + 1) (S h) ltac:(lia))
          (at_odd (k + 1) h ltac:(lia)) ltac:(lia)) as [-> ->]. lia.
      + destruct (C_from _ _ 1%nat _ _ _ _ _ _ (at_odd (k + 1) h ltac:(lia))
          (at_even (k + 1) h ltac:(lia)) ltac:(lia)) as [-> ->]. lia.
  Qed.

  (** Lemma 5.5 (2), from n = 2L on. *)
  Theorem lemma_5_5_2 k i : (i <= L)%nat -> let n := ((L + 1) * (k + 1) + i)%nat in
    (2 * L <= n)%nat ->
    C_I A n L = 0 /\ C_II A n L = (if (i =? L - 1)%nat then 0 else Z.of_nat L - 1).
  Proof.
    intros B n. unfold n. clear n. intro From. pose proof (start_later k) as Start.
    destruct (Nat.eqb_spec i (L - 1)) as [->|D].
    - pose proof (at_odd (k + 1) (l - 1) ltac:(lia)) as P.
      replace (2 * (l - 1) + 1)%nat with (L - 1)%nat in P by lia.
      destruct (C_from _ _ L _ _ _ _ _ _ P (at_top k) ltac:(lia)) as [-> ->]. lia.
    - destruct (Nat.eq_dec i L) as [->|D'].
      + destruct (C_from _ _ L _ _ _ _ _ _ (at_top (k + 1)) (at_even (k + 1) 0 ltac:(lia))
          ltac:(lia)) as [-> ->]. lia.
      + destruct k as [|k]; [exfalso; lia|]. replace (S k) with (k + 1)%nat in * by lia.
        pose proof (start_later (k + 1)). clear Start.
        pose proof (start_later k). destruct (Nat.Even_or_Odd i) as [[h ->]|[h ->]].
        * destruct (C_from _ _ L _ _ _ _ _ _ (at_even (k + 1 + 1) h ltac:(lia))
            (at_odd (k + 1) h ltac:(lia)) ltac:(lia)) as [-> ->]. lia.
        * destruct (C_from _ _ L _ _ _ _ _ _ (at_odd (k + 1 + 1) h ltac:(lia))
            (at_even (k + 1) (h + 1) ltac:(lia)) ltac:(lia)) as [-> ->]. lia.
  Qed.

  (** * Lemma 5.6 *)

  Notation floor x := (x / (Z.of_nat L - 1) * (Z.of_nat L - 1)).
  Notation X_pair := (X_5_6 L).

  Lemma X_decided i b b' : X_pair i b b' \/ ~ X_pair i b b'.
  Proof. unfold X_5_6. destruct (_ && _)%bool; lia. Qed.

  Lemma X_even h b b' : (h < l)%nat -> X_pair (2 * h) b b' = (b < floor b').
  Proof. intro H. pose proof (second_even h H) as E. unfold second in E. unfold X_5_6.
  now rewrite E. Qed.
  Lemma X_odd h b b' : X_pair (2 * h + 1) b b' = (floor b <= b').
  Proof. pose proof (second_odd h) as E. unfold second in E. unfold X_5_6. now rewrite E. Qed.
  Lemma X_top b b' : X_pair L b b' = (floor b <= b').
  Proof. pose proof second_top as E. unfold second in E. unfold X_5_6. now rewrite E. Qed.

  (** Taking 1 and L, modulo L+1. *)
  Lemma minus_1 i j : (i <= L)%nat -> (i = j + 1 \/ i = 0 /\ j = L)%nat -> minus (L + 1) i 1 = j.
  Proof.
    intros B [E|[E E']]; unfold minus; [rewrite Z.mod_small by lia; lia|].
    rewrite <- (Z.mod_unique_pos _ _ (-1) (Z.of_nat L)); lia.
  Qed.
  Lemma minus_L i j : (i <= L)%nat -> (j = i + 1 /\ i < L \/ i = L /\ j = 0)%nat ->
    minus (L + 1) i L = j.
  Proof.
    intros B [[E E']|[E E']]; unfold minus; [|rewrite Z.mod_small by lia; lia].
    rewrite <- (Z.mod_unique_pos _ _ (-1) (Z.of_nat i + 1)); lia.
  Qed.

  (** c^I and c^II of Lemma 5.5. *)
  Definition c1 (i a : nat) : Z := if ((a =? 1) && (i =? L))%nat%bool then Z.of_nat L - 1 else 0.
  Definition c2 (i a : nat) : Z := if ((a =? 1) || (i =? L - 1))%nat%bool then 0 else Z.of_nat L -
    1.

  Lemma c_of_1 i : c1 i 1 = (if (i =? L)%nat then Z.of_nat L - 1 else 0) /\ c2 i 1 = 0.
  Proof. split; reflexivity. Qed.
  Lemma c_of_L i : c1 i L = 0 /\ c2 i L = if (i =? L - 1)%nat then 0 else Z.of_nat L - 1.
  Proof. unfold c1, c2. destruct (Nat.eqb_spec L 1); [lia|]. split; reflexivity. Qed.

  (** Lemma 5.6: X is a solution set, for c^I and c^II of Lemma 5.5. *)
  Theorem lemma_5_6 : solution_set A 1 (L + 1) c1 c2 X_pair.
  Proof.
    intros i b b' B b0 b'0. destruct (c_of_1 i) as [C1 C2]. destruct (c_of_L i) as [C3 C4].
    pose proof (floors (Z.of_nat L - 1) ltac:(lia) b b' b0 b'0) as Facts.
    cbv zeta. destruct (Nat.Even_or_Odd i) as [[h E]|[h E]];
      [destruct (Nat.eq_dec i L) as [D|D]|destruct (Nat.eq_dec i (L - 1)) as [D|D]].
    - rewrite D in *. clear D E h i. rewrite Nat.eqb_refl in C1.
      destruct (Nat.eqb_spec L (L - 1)) as [|_]; [lia|]. split.
      + intro H. rewrite X_top in H. rewrite C1, C2, (minus_1 L (2 * (l - 1) + 1)), X_odd by lia.
        settle_floors.
      + intros H a I. rewrite X_top in H. member I.
        * rewrite C1, C2, (minus_1 L (2 * (l - 1) + 1)), X_odd by lia. settle_floors.
        * rewrite C3, C4, (minus_L L (2 * 0)), X_even by lia. settle_floors.
    - assert (H : (h < l)%nat) by lia. subst i. clear D B.
      destruct (Nat.eqb_spec (2 * h) L) as [|_]; [lia|].
      destruct (Nat.eqb_spec (2 * h) (L - 1)) as [|_]; [lia|].
      assert (X1 : forall c c', X_pair (minus (L + 1) (2 * h) 1) c c' = (floor c <= c')).
      { intros c c'. destruct h as [|h]; [rewrite (minus_1 (2 * 0) L),
          X_top by lia|rewrite (minus_1 (2 * S h) (2 * h + 1)), X_odd by lia]; reflexivity. }
      split.
      + intro Y. rewrite X_even in Y by exact H. rewrite C1, C2, X1. settle_floors.
      + intros Y a I. rewrite X_even in Y by exact H. member I.
        * rewrite C1, C2, X1. settle_floors.
        * rewrite C3, C4, (minus_L (2 * h) (2 * h + 1)), X_odd by lia. settle_floors.
    - subst i. destruct (Nat.eqb_spec (2 * h + 1) L) as [|_]; [lia|].
      destruct (Nat.eqb_spec (2 * h + 1) (L - 1)) as [_|]; [|lia]. split.
      + intro Y. rewrite X_odd in Y. rewrite C1, C2, (minus_1 _ (2 * h)), X_even by lia.
        settle_floors.
      + intros Y a I. rewrite X_odd in Y. member I.
        * rewrite C1, C2, (minus_1 _ (2 * h)), X_even by lia. settle_floors.
        * rewrite C3, C4, (minus_L _ L), X_top by lia. settle_floors.
    - subst i. destruct (Nat.eqb_spec (2 * h + 1) L) as [|_]; [lia|].
      destruct (Nat.eqb_spec (2 * h + 1) (L - 1)) as [|_]; [lia|]. split.
      + intro Y. rewrite X_odd in Y. rewrite C1, C2, (minus_1 _ (2 * h)), X_even by lia.
        settle_floors.
      + intros Y a I. rewrite X_odd in Y. member I.
        * rewrite C1, C2, (minus_1 _ (2 * h)), X_even by lia. settle_floors.
        * rewrite C3, C4, (minus_L _ (2 * (h + 1))), X_even by lia. settle_floors.
  Qed.

  (** ** Critical n *)

  Lemma g_halves n : exists q, (n = 2 * q /\ gI 1 n = q + 1 /\ gII 1 n = q \/ n = 2 * q + 1 /\
    gI 1 n = q + 1 /\ gII 1 n = q + 1)%nat.
  Proof. destruct (halves 1 ltac:(lia) n) as (q & r & R & [(E & -> & ->)|(E & -> & ->)]); exists q;
    lia. Qed.

  (** Below n = 2L + 1 nobody is neither rich nor poor. *)
  Lemma critical_from n d e : critical A 1 n d e ->
    exists k i, (n = (L + 1) * (k + 1) + i /\ i = n mod (L + 1) /\ i <= L /\ 2 * L <= n)%nat.
  Proof.
    intros [G G']. destruct (cases n) as (k & i & E & R & D).
    assert (Enough : (1 <= k /\ 2 * L <= n)%nat).
    { destruct (g_halves n) as (q & Q). destruct D as [(h & -> & H)|[(h & -> & H)| ->]].
      - destruct (at_even k h H) as (_ & E1 & E2). rewrite <- E in E1, E2. rewrite E1, E2 in *.
        clear E1 E2 R.
        destruct k as [|[|k]]; [exfalso; cbn [start Nat.eqb] in *; lia|exfalso;
          pose proof (start_later 0); change (0 + 1)%nat with 1%nat in *; lia|lia].
      - destruct (at_odd k h H) as (_ & E1 & E2). rewrite <- E in E1, E2. rewrite E1, E2 in *.
        clear E1 E2 R.
        destruct k as [|[|k]]; [exfalso; cbn [start Nat.eqb] in *; lia|exfalso;
          pose proof (start_later 0); change (0 + 1)%nat with 1%nat in *; lia|lia].
      - destruct (at_top k) as (_ & E1 & E2). rewrite <- E in E1, E2. rewrite E1, E2 in *.
        clear E1 E2 R. destruct k as [|k]; lia. }
    exists (k - 1)%nat, i. replace (k - 1 + 1)%nat with k by lia.
    repeat split; [exact E|exact R| |lia]. clear E R.
    destruct D as [(h & -> & H)|[(h & -> & H)| ->]]; lia.
  Qed.

  Lemma C_critical n d e : critical A 1 n d e -> forall a, In a A -> (a <= n)%nat ->
    C_I A n a = c1 (n mod (L + 1)) a /\ C_II A n a = c2 (n mod (L + 1)) a.
  Proof.
    intros C a I _. destruct (critical_from n d e C) as (k & i & E & R & B & From). rewrite <- R.
    rewrite E. rewrite E in From. clear E R C. member I.
    - destruct (c_of_1 i) as [-> ->]. now apply lemma_5_5_1.
    - destruct (c_of_L i) as [-> ->]. now apply lemma_5_5_2.
  Qed.

  (** Theorem 5.7 (7), mended. *)
  Theorem theorem_5_7_7 n d e : critical A 1 n d e ->
    (I_wins A n d e <-> X_pair (n mod (L + 1)) (short_I A n d) (short_II A n e)).
  Proof.
    apply (periodic_where_critical A pair_positive 1 pair_least (L + 1) c1 c2 X_pair X_decided);
      [lia| |exact C_critical|exact lemma_5_6].
    intro m. rewrite !W_pair. rewrite Nat.mod_mod by lia. reflexivity.
  Qed.

  (** Theorem 5.7, mended: who wins for all n, d and e. *)
  Theorem win_condition_pair n d e : I_wins A n d e <->
    (fI_ A n <= d /\ (e < fII_ A n \/ W_ A n = true) \/
     d < fI_ A n /\ e < fII_ A n /\
       (e < gII 1 n /\ (gI 1 n <= d \/ e < d) \/
        gI 1 n <= d /\ gII 1 n <= e /\ X_pair (n mod (L + 1)) (short_I A n d)
          (short_II A n e)))%nat.
  Proof.
    rewrite (all_states A pair_positive 1 pair_least (fun n => X_pair (n mod (L + 1)))
      theorem_5_7_7). now rewrite !Nat.div_1_r.
  Qed.
End Five.
