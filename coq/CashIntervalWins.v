(** NIM with Cash for A = {L..M} and all 1 <= L < M: Conjectures 8.1 and 2 of Gasarch, Purtilo,
    Ulrich, as mended. M is L + D. *)

From Coq Require Import List Arith ZArith Lia Bool Wf_nat.
From Bouton Require Import Positions Outcomes Subtraction Cash CashTables CashInterval.
Import ListNotations.
Open Scope nat_scope.

(** The set X of Definition 8.2, mended, of triples (i; b, b'). *)
Definition X_8_2 (L M i : nat) (b b' : Z) : Prop :=
  let floor x := (x / Z.of_nat L)%Z in
  if i <? L then (floor b <= floor (b' - Z.of_nat L))%Z
  else if i <? min (2 * L) M then (floor b <= floor (b' - 2 * Z.of_nat L + Z.of_nat i + 1))%Z
  else (floor b <= floor b')%Z.

Section Interval.
  Variables L D : nat.
  Hypothesis L1 : 1 <= L.
  Hypothesis D1 : 1 <= D.
  Notation M := (L + D).
  Notation A := (from_to L (L + D)).
  Notation F_ := (F_ L).
  Notation G_ := (G_ L D).
  Notation other := (other L).
  Notation p := (2 * L + D).
  Notation place := (place L D).
  Notation X := (X_8_2 L M).

  Ltac cut := repeat match goal with
    | |- context [?x <? ?y] => destruct (Nat.ltb_spec x y); try lia
    | H : context [?x <? ?y] |- _ => destruct (Nat.ltb_spec x y); try lia end.

  (** * Conjecture 8.1, mended *)

  Lemma stable u v i : i < 2 * L + D -> 3 * L <= v + i + 1 \/ 2 * L <= v + i + 1 /\
    (i < L \/ L <= i < M /\ L <= v) ->
    F_ (u + L) (v + D) i = F_ u v i + M /\ G_ (u + L) (v + D) i = G_ u v i + M.
  Proof. intros B H. split; unfold CashInterval.F_, CashInterval.G_, CashInterval.other; cut. Qed.

  (** The remainder and quotient of n. *)
  Lemma parts n : exists k i, i < 2 * L + D /\ n = (2 * L + D) * k + i /\ n mod (2 * L + D) = i.
  Proof.
    exists (n / (2 * L + D)), (n mod (2 * L + D)).
    pose proof (Nat.div_mod n (2 * L + D) ltac:(lia)).
    pose proof (Nat.mod_upper_bound n (2 * L + D) ltac:(lia)). lia.
  Qed.

  (** 2L-1 over D, rounded up. *)
  Definition ups : nat := (2 * L - 1 + D - 1) / D.

  Lemma ups_is : 2 * L - 1 <= D * ups < 2 * L - 1 + D.
  Proof.
    unfold ups. pose proof (Nat.div_mod (2 * L - 1 + D - 1) D ltac:(lia)).
    pose proof (Nat.mod_upper_bound (2 * L - 1 + D - 1) D ltac:(lia)). lia.
  Qed.

  Theorem offset n : max (2 * L * ups - 1) (3 * L - 1) <= n ->
    fI_ A (n + L + M) = fI_ A n + M /\ fII_ A (n + L + M) = fII_ A n + M.
  Proof.
    destruct (parts n) as (k & i & B & E & _). pose proof ups_is as U. generalize dependent ups.
    intros c U From.
    destruct (table L D L1 D1 n k i B E) as (_ & -> & ->).
    destruct (table L D L1 D1 (n + L + M) (k + 1) i B ltac:(lia)) as (_ & -> & ->).
    replace (L * (k + 1)) with (L * k + L) by lia. replace (D * (k + 1)) with (D * k + D) by lia.
    apply stable; [exact B|].
    assert (Cases : c <= k /\ D * c <= D * k \/
      c = k + 1 /\ L * c = L * k + L /\ D * c = D * k + D /\
        (L * k = 0 /\ D * k = 0 \/ 1 <= k /\ D <= D * k) \/
      k + 2 <= c /\ L * k + 2 * L <= L * c) by (destruct (le_lt_dec c k);
        [left; nia|right; destruct (Nat.eq_dec c (k + 1));
          [left; subst; destruct k; nia|right; nia]]).
    assert (From' : 2 * (L * c) <= n + 1) by lia. assert (E' : n = 2 * (L * k) + D * k + i) by lia.
    clear E.
    generalize dependent (L * c). intro w. generalize dependent (D * c). intro x.
    generalize dependent (L * k). intro u.
    generalize dependent (D * k). intros v *. lia.
  Qed.

  Theorem offset_least : 2 <= L -> let n := max (2 * L * ups - 1) (3 * L - 1) - 1 in
    ~ (fI_ A (n + L + M) = fI_ A n + M /\ fII_ A (n + L + M) = fII_ A n + M).
  Proof.
    intros L2. pose proof ups_is as U. generalize dependent ups. intros c U n.
    assert (Cases : exists k i, i < 2 * L + D /\ n = (2 * L + D) * k + i /\
      (k = 0 /\ i = 3 * L - 2 /\ 2 * L <= D + 1 \/
      i < L /\ L <= D * k /\ D * k + i = 2 * L - 2)).
    { destruct (Nat.eq_dec c 0) as [->|C0]; [lia|]. destruct (Nat.eq_dec c 1) as [->|C1].
      - exists 0, (3 * L - 2). split; [lia|split; [unfold n; lia|left; lia]].
      - exists (c - 1), (2 * L - 2 - D * (c - 1)).
        assert (Q : D * c = D * (c - 1) + D /\ L * c = L * (c - 1) + L /\ D <= D * (c - 1) /\
          L <= L * (c - 1)) by nia.
        unfold n. clear n. replace (2 * L * c) with (2 * (L * c)) by lia.
        replace ((2 * L + D) * (c - 1)) with (2 * (L * (c - 1)) + D * (c - 1)) by lia.
        generalize dependent (D * (c - 1)). generalize dependent (L * (c - 1)). intros u v. lia. }
    destruct Cases as (k & i & B & E & Which).
    destruct (table L D L1 D1 n k i B E) as (_ & -> & ->).
    destruct (table L D L1 D1 (n + L + M) (k + 1) i B ltac:(lia)) as (_ & -> & ->).
    replace (L * (k + 1)) with (L * k + L) by lia. replace (D * (k + 1)) with (D * k + D) by lia.
    clear E U n. destruct Which as [(-> & -> & Wide)|(C & V & S)].
    - rewrite !Nat.mul_0_r. intros [_ H]. unfold CashInterval.G_, CashInterval.other in H. cut.
    - generalize dependent (L * k). intro u. generalize dependent (D * k). intros v V S [H _].
      unfold CashInterval.F_, CashInterval.other in H. cut.
  Qed.

  (** * Conjecture 2, mended *)

  Lemma g_bounds u n d e : (exists k, u = L * k) -> 2 * u <= n -> gI L n <= d -> gII L n <= e ->
    (2 * u + 2 * L <= n -> u + L <= e) /\ (2 * u + 3 * L <= n + 1 -> u + 2 * L <= d).
  Proof.
    intros [k ->] H G G'. destruct (halves L ltac:(lia) n) as
      (q & r & R & [(E & E1 & E2)|(E & E1 & E2)]); rewrite E1 in G; rewrite E2 in G'; clear E1 E2;
      (assert (Cases : q < k /\ L * q + L <= L * k \/ q = k /\ L * q = L * k \/ q = k + 1 /\
        L * q = L * k + L \/ k + 2 <= q /\ L * k + 2 * L <= L * q)
        by (destruct (lt_eq_lt_dec q k) as [[Q|Q]|Q];
          [left; nia|right; left; subst; auto|right; right; destruct (Nat.eq_dec q (k + 1));
            [left; subst; lia|right; nia]]));
      generalize dependent (L * k); generalize dependent (L * q); intros; lia.
  Qed.

  Lemma g_sum n d e : gI L n <= d -> gII L n <= e -> n + 1 <= d + e.
  Proof. destruct (halves L ltac:(lia) n) as (q & r & R & [(E & -> & ->)|(E & -> & ->)]); lia. Qed.

  (** What is known of critical n. *)
  Definition known (n d e u v i : nat) : Prop :=
    i < 2 * L + D /\ n = 2 * u + v + i /\ (u = 0 /\ v = 0 \/ L <= u /\ D <= v) /\
    u + L <= e /\ (3 * L <= v + i + 1 -> u + 2 * L <= d) /\ 2 * L + 1 <= v + i /\
    fI_ A n = u + v + i + 1 - L /\
    (i < L /\ fII_ A n = u + v + i + 1 - L \/
     L <= i < min (2 * L) M /\ L + 2 <= v /\ fII_ A n = u + v \/
     min (2 * L) M <= i /\ 3 * L + 1 <= v + i /\ L <= i /\ fII_ A n = u + v + i + 1 - 2 * L).

  Lemma critical_known n d e k i : critical A L n d e -> i < 2 * L + D -> n = (2 * L + D) * k + i ->
    known n d e (L * k) (D * k) i.
  Proof.
    intros [[G F] [G' F']] B E. destruct (table L D L1 D1 n k i B E) as (_ & E1 & E2).
    rewrite E1 in F. rewrite E2 in F'. unfold known. rewrite E1, E2.
    pose proof (g_bounds (L * k) n d e (ex_intro _ k eq_refl) ltac:(lia) G G') as [H1 H2].
    pose proof (g_sum n d e G G') as S. clear G G' E1 E2.
    assert (E' : n = 2 * (L * k) + D * k + i) by lia.
    assert (Start : L * k = 0 /\ D * k = 0 \/ L <= L * k /\ D <= D * k) by (destruct k;
      [left|right]; nia).
    clear E. generalize dependent (L * k). intro u. generalize dependent (D * k).
    intros v F F' H1 H2 E' Start.
    assert (Done : 2 * L + 1 <= v + i /\ F_ u v i = u + v + i + 1 - L /\
      (i < L /\ G_ u v i = u + v + i + 1 - L \/
       L <= i < min (2 * L) M /\ L + 2 <= v /\ G_ u v i = u + v \/
       min (2 * L) M <= i /\ 3 * L + 1 <= v + i /\ L <= i /\ G_ u v i = u + v + i + 1 - 2 * L)).
    { clear H1 H2. unfold CashInterval.F_, CashInterval.G_, CashInterval.other in *.
      destruct (Nat.ltb_spec i L) as [C|C].
      - destruct (Nat.ltb_spec (i + v) L) as [C'|C']; [exfalso; lia|].
        assert (V : 2 * L + 1 <= v + i) by lia.
        split; [exact V|split; [lia|]]. left. lia.
      - assert (V : 2 * L + 1 <= v + i).
        { destruct (Nat.ltb_spec i M) as [C1|C1]; destruct (Nat.ltb_spec (i - L + v) L) as [C2|C2];
            lia. }
        split; [exact V|split; [lia|]]. right. destruct (Nat.ltb_spec i M) as [C1|C1];
          [destruct (le_lt_dec (2 * L) i) as [C2|C2]|].
        + right. destruct (Nat.ltb_spec (i - L + v) L) as [C3|C3]; [exfalso; lia|].
          assert (V' : 3 * L + 1 <= v + i) by lia.
          split; [lia|split; [exact V'|lia]].
        + left. assert (V' : L + 2 <= v) by (destruct (Nat.ltb_spec (i - L + v) L); lia).
          split; [lia|split; [exact V'|]].
          destruct (Nat.ltb_spec (i - L + v) L); lia.
        + right. assert (V' : 3 * L + 1 <= v + i) by (destruct (Nat.ltb_spec (i - L + v) L); lia).
          split; [lia|split; [exact V'|]]. destruct (Nat.ltb_spec (i - L + v) L) as [C3|C3]; lia. }
    destruct Done as (V & E1 & E2). rewrite E1 in *. repeat split; try assumption; lia.
  Qed.

  (** The remainder after taking a. *)
  Lemma remainder_after n k i a : i < p -> n = p * k + i -> L <= a <= M -> a <= n ->
    a <= i /\ (n - a) mod p = i - a /\ place (n - a) (L * k) (D * k) (i - a) \/
    i < a /\ L <= L * k /\ D <= D * k /\ (n - a) mod p = i + p - a /\
      place (n - a) (L * k - L) (D * k - D) (i + p - a).
  Proof.
    intros B E R Le. destruct (le_lt_dec a i) as [H|H].
    - left. split; [exact H|split].
      + apply mod_unique with k; lia.
      + apply (table L D L1 D1 (n - a) k (i - a)); lia.
    - right. destruct k as [|k]; [lia|]. replace (L * S k - L) with (L * k) by lia.
      replace (D * S k - D) with (D * k) by lia.
      split; [exact H|split; [lia|split; [lia|split]]].
      + apply mod_unique with k; lia.
      + apply (table L D L1 D1 (n - a) k (i + p - a)); lia.
  Qed.

  Open Scope Z_scope.
  Notation Q x := (x / Z.of_nat L).

  Lemma Q_minus x : Q (x - Z.of_nat L) = Q x - 1.
  Proof. replace (x - Z.of_nat L) with (x + (-1) * Z.of_nat L) by lia. rewrite Z.div_add by lia.
  lia. Qed.
  Lemma Q_le x y : x <= y -> Q x <= Q y.
  Proof. apply Z.div_le_mono. lia. Qed.
  Lemma Q_pos x : 0 <= x <-> 0 <= Q x.
  Proof. split; intro H; [apply Z.div_pos; lia|]. destruct (Z_lt_le_dec x 0) as [N|]; [|assumption].
    pose proof (Z.div_lt_upper_bound x (Z.of_nat L) 0 ltac:(lia) ltac:(lia)). lia. Qed.

  (** What b' counts less than in f without the bound below of f^II. *)
  Definition less (i : nat) : Z := if (i <? min (2 * L) M)%nat then 2 * Z.of_nat L - Z.of_nat i - 1
    else 0.

  Lemma X_lost i b b' : (i < L)%nat -> X i b b' <-> Q b < Q b'.
  Proof.
    intro H. unfold X_8_2. replace (i <? L)%nat with true by (symmetry; apply Nat.ltb_lt; lia).
    rewrite Q_minus. lia.
  Qed.
  Lemma X_won i b b' : (L <= i)%nat -> X i b b' <-> Q b <= Q (b' - less i).
  Proof.
    intro H. unfold X_8_2, less. replace (i <? L)%nat with false by (symmetry; apply Nat.ltb_ge;
      lia).
    destruct (i <? min (2 * L) M)%nat.
    - replace (b' - (2 * Z.of_nat L - Z.of_nat i - 1)) with (b' - 2 * Z.of_nat L + Z.of_nat i + 1)
        by lia. reflexivity.
    - now rewrite Z.sub_0_r.
  Qed.
  Lemma X_decided i b b' : X i b b' \/ ~ X i b b'.
  Proof. unfold X_8_2. destruct (i <? L)%nat, (i <? min (2 * L) M)%nat; lia. Qed.

  Lemma less_from i : (i < min (2 * L) M)%nat /\ less i = 2 * Z.of_nat L - Z.of_nat i - 1 \/
    (min (2 * L) M <= i)%nat /\ less i = 0.
  Proof. unfold less. destruct (Nat.ltb_spec i (min (2 * L) M)); [left|right]; split; auto. Qed.

  (** Values at lost and at won positions. *)
  Lemma place_lost n u v i : (i < L)%nat -> place n u v i ->
    (W_ A n = false /\ fII_ A n = max (u + v + i + 1 - L) u /\ u + v + i + 1 - L <= fI_ A n /\
     (2 * L <= v + i + 1 /\ fI_ A n = u + v + i + 1 - L \/ fI_ A n <= u + L))%nat.
  Proof.
    intros C (E1 & E2 & E3). rewrite E1, E2, E3. clear E1 E2 E3.
    unfold CashInterval.F_, CashInterval.G_, CashInterval.other.
    destruct (Nat.ltb_spec i L); [|lia].
    split; [apply Nat.leb_gt; lia|split; [reflexivity|]]. destruct (Nat.ltb_spec (i + v) L); lia.
  Qed.

  Lemma place_won n u v i : (L <= i)%nat -> place n u v i ->
    W_ A n = true /\ fI_ A n = max (u + v + i + 1 - L) (u + L) /\
    let T := Z.of_nat u + Z.of_nat v + Z.of_nat i + 1 - 2 * Z.of_nat L + less i in
    T <= Z.of_nat (fII_ A n) /\ (Z.of_nat (fII_ A n) = T \/
      (fII_ A n <= u + L /\ v + i + 1 < 3 * L /\ (v < L \/ M <= i))%nat).
  Proof.
    intros C (E1 & E2 & E3). rewrite E1, E2, E3. clear E1 E2 E3.
    unfold CashInterval.F_, CashInterval.G_, CashInterval.other.
    destruct (Nat.ltb_spec i L); [lia|].
    split; [apply Nat.leb_le; lia|split; [reflexivity|]].
    destruct (less_from i) as [[? ->]|[? ->]]; destruct (Nat.ltb_spec i M);
      destruct (Nat.ltb_spec (i - L + v) L); lia.
  Qed.

  Lemma known_won n d e u v i : (L <= i)%nat -> known n d e u v i ->
    Z.of_nat (fII_ A n) = Z.of_nat u + Z.of_nat v + Z.of_nat i + 1 - 2 * Z.of_nat L + less i.
  Proof.
    intros C (_ & _ & _ & _ & _ & _ & _ & [[? _]|[(? & ? & E)|(? & ? & ? & E)]]); [lia| |];
      rewrite E; destruct (less_from i) as [[? ->]|[? ->]]; lia.
  Qed.

  (** What Definition 4.6 asks for after taking. *)
  Definition good (n j : nat) (c c' : Z) : Prop := 0 <= c /\ 0 <= c' /\ X j c c' \/ c < 0 /\
    0 <= c' \/ c < 0 /\ c' < 0 /\ W_ A n = true.
  Definition bad (n j : nat) (c c' : Z) : Prop := 0 <= c /\ 0 <= c' /\ ~ X j c c' \/ 0 <= c /\
    c' < 0 \/ c < 0 /\ c' < 0 /\ W_ A n = false.

  Lemma less_pos i : 0 <= less i.
  Proof. destruct (less_from i) as [[? ->]|[? ->]]; lia. Qed.

  Lemma good_won n j c c' : (L <= j)%nat -> W_ A n = true -> (0 <= c -> Q c <= Q (c' - less j)) ->
    good n j c c'.
  Proof.
    intros C V H. unfold good. rewrite V, X_won by exact C. pose proof (less_pos j).
    pose proof (Q_pos c). pose proof (Q_pos (c' - less j)). lia.
  Qed.
  Lemma good_lost n j c c' : (j < L)%nat -> 0 <= c' -> (0 <= c -> Q c < Q c') -> good n j c c'.
  Proof. intros C V H. unfold good. rewrite X_lost by exact C. lia. Qed.
  Lemma bad_won n j c c' : (L <= j)%nat -> 0 <= c -> (0 <= c' -> Q (c' - less j) < Q c) ->
    bad n j c c'.
  Proof. intros C V H. unfold bad. rewrite X_won by exact C. lia. Qed.
  Lemma bad_lost n j c c' : (j < L)%nat -> 0 <= c -> Q c' <= Q c -> bad n j c c'.
  Proof. intros C V H. unfold bad. rewrite X_lost by exact C. lia. Qed.

  Section Move.
    Variables n d e u v i a : nat.
    Hypothesis know : known n d e u v i.
    Hypothesis range : (L <= a <= M)%nat.
    Notation b := (Z.of_nat (fI_ A n) - 1 - Z.of_nat d).
    Notation b' := (Z.of_nat (fII_ A n) - 1 - Z.of_nat e).
    Notation c := (Z.of_nat (fI_ A (n - a)) - 1 - Z.of_nat e).
    Notation c' := (Z.of_nat (fII_ A (n - a)) - 1 - Z.of_nat d + Z.of_nat a).

    (** From a lost to a won position. *)
    Lemma lost_to_won : (i < L)%nat -> (L <= u)%nat -> (D <= v)%nat ->
      place (n - a) (u - L) (v - D) (i + p - a) ->
      Q b' <= Q b -> good (n - a) (i + p - a) c c'.
    Proof.
      intros C U V P H. destruct (place_won _ _ _ (i + p - a)%nat ltac:(lia) P) as (W' & F & G & _).
      destruct know as (B & E & S & He & Hd & K & FI & FII).
      assert (FII' : fII_ A n = (u + v + i + 1 - L)%nat) by lia. clear FII.
      apply good_won; [lia|exact W'|]. intro C0. transitivity (Q b'); [apply Q_le; lia|].
      transitivity (Q b); [exact H|]. apply Q_le. lia.
    Qed.

    Lemma lost_to_won_L : a = L -> (i < L)%nat -> (L <= u)%nat -> (D <= v)%nat ->
      place (n - a) (u - L) (v - D) (i + p - a) ->
      0 <= b' -> Q b < Q b' -> bad (n - a) (i + p - a) c c'.
    Proof.
      intros Ea C U V P B' H. destruct (place_won _ _ _ (i + p - a)%nat ltac:(lia) P) as
        (W' & F & G & G'). destruct know as (B & E & S & He & Hd & K & FI & FII).
      assert (FII' : fII_ A n = (u + v + i + 1 - L)%nat) by lia. clear FII.
      assert (F' : fI_ A (n - a) = fII_ A n) by lia. rewrite F'. apply bad_won; [lia|lia|].
      intros _.
      replace (Q (c' - less (i + p - a))) with (Q b); [exact H|]. f_equal.
      destruct (less_from (i + p - a)) as [[? Le]|[? Le]]; rewrite Le in *; lia.
    Qed.

    (** From a won position. *)
    Lemma won_to_lost : (L <= i)%nat -> (a <= i)%nat -> (i - a < L)%nat ->
      place (n - a) u v (i - a) -> 0 <= b ->
      Q (b' - less i) < Q b -> good (n - a) (i - a) c c'.
    Proof.
      intros C Le C' P B0 H. destruct (place_lost _ _ _ _ C' P) as (W' & G & F & F').
      pose proof (known_won _ _ _ _ _ _ C know) as Y.
      destruct know as (B & E & S & He & Hd & K & FI & _).
      apply good_lost; [exact C'|lia|]. intro C0.
      apply Z.le_lt_trans with (Q (b' - less i)); [apply Q_le; lia|].
      apply Z.lt_le_trans with (Q b); [exact H|]. apply Q_le. lia.
    Qed.

    Lemma won_to_won : (L <= i)%nat -> (a <= i)%nat -> (L <= i - a)%nat ->
      place (n - a) u v (i - a) ->
      Q (b' - less i) < Q b -> good (n - a) (i - a) c c'.
    Proof.
      intros C Le C' P H. destruct (place_won _ _ _ _ C' P) as (W' & F & G & _).
      pose proof (known_won _ _ _ _ _ _ C know) as Y.
      destruct know as (B & E & S & He & Hd & K & FI & _).
      apply good_won; [exact C'|exact W'|]. intro C0.
      transitivity (Q (b' - less i)); [apply Q_le; lia|].
      transitivity (Q (b - Z.of_nat L)); [rewrite Q_minus; lia|]. apply Q_le. lia.
    Qed.

    Lemma won_to_earlier : (L <= i)%nat -> (i < a)%nat -> (L <= u)%nat -> (D <= v)%nat ->
      place (n - a) (u - L) (v - D) (i + p - a) ->
      Q (b' - less i) < Q b -> good (n - a) (i + p - a) c c'.
    Proof.
      intros C Le U V P H. destruct (place_won _ _ _ (i + p - a)%nat ltac:(lia) P) as
        (W' & F & G & _). pose proof (known_won _ _ _ _ _ _ C know) as Y.
      destruct know as (B & E & S & He & Hd & K & FI & _).
      apply good_won; [lia|exact W'|]. intro C0. transitivity (Q b).
      - enough (Q (c - Z.of_nat L) <= Q (b' - less i)) by (rewrite Q_minus in *; lia). apply Q_le.
        lia.
      - apply Q_le. lia.
    Qed.

    Lemma won_to_lost_L : a = L -> (L <= i)%nat -> (i - a < L)%nat -> place (n - a) u v (i - a) ->
      0 <= b ->
      Q b <= Q (b' - less i) -> bad (n - a) (i - a) c c'.
    Proof.
      intros Ea C C' P B0 H. destruct (place_lost _ _ _ _ C' P) as (W' & G & F & F').
      pose proof (known_won _ _ _ _ _ _ C know) as Y.
      destruct know as (B & E & S & He & Hd & K & FI & _). pose proof (Q_pos b) as B1.
      assert (H' : Q (b' - less i) <= Q c) by (apply Q_le; lia). pose proof (Q_pos c) as C1.
      apply bad_lost; [exact C'|lia|]. replace c' with b by lia. lia.
    Qed.

    Lemma won_to_won_L : a = L -> (L <= i)%nat -> (L <= i - a)%nat -> place (n - a) u v (i - a) ->
      0 <= b' ->
      Q b <= Q (b' - less i) -> bad (n - a) (i - a) c c'.
    Proof.
      intros Ea C C' P B0 H. destruct (place_won _ _ _ _ C' P) as (W' & F & G & G').
      pose proof (known_won _ _ _ _ _ _ C know) as Y.
      destruct know as (B & E & S & He & Hd & K & FI & FII).
      assert (I0 : less i = 0) by (destruct (less_from i) as [[? _]|[_ ?]]; [lia|assumption]).
      rewrite I0 in Y, H.
      assert (V : (3 * L <= v + i)%nat) by lia.
      apply bad_won; [exact C'|lia|]. intro C0. destruct G' as [G'|G']; [|lia].
      replace (c' - less (i - a)) with (b - Z.of_nat L) by lia. rewrite Q_minus.
      replace c with (b' - 0) by lia. lia.
    Qed.
  End Move.

  (** X is a solution set; the C of Definition 4.4 are those of n. *)
  Theorem solution_8_2 : solution A L (fun n => X (n mod (L + M))%nat).
  Proof.
    intros n d e Cr. destruct (parts n) as (k & i & B & E & R).
    pose proof (critical_known n d e k i Cr B E) as Know.
    assert (B0 : 0 <= short_I A n d /\ 0 <= short_II A n e) by
      (unfold critical, short_I, short_II in *; lia). destruct B0 as [B0 B1].
    replace (L + M)%nat with p by lia. rewrite R. cbv zeta.
    assert (Cs : forall a, short_II A n e - C_II A n a = Z.of_nat (fI_ A (n - a)) - 1 - Z.of_nat e)
      by (intro; unfold short_II, C_II; lia).
    assert (Cs' : forall a, short_I A n d - C_I A n a = Z.of_nat (fII_ A (n - a)) - 1 - Z.of_nat d +
      Z.of_nat a) by (intro; unfold short_I, C_I; lia).
    assert (Here : (L <= n)%nat) by (destruct Know as (_ & E' & _ & _ & _ & ? & _); lia).
    unfold short_I, short_II in B0, B1. split.
    - rewrite Cs, Cs'. intro Y. fold (bad (n - L) ((n - L) mod p)%nat
        (Z.of_nat (fI_ A (n - L)) - 1 - Z.of_nat e)
          (Z.of_nat (fII_ A (n - L)) - 1 - Z.of_nat d + Z.of_nat L)).
      destruct (remainder_after n k i L B E ltac:(lia) Here) as
        [(Le & -> & P)|(Lt & U & V & -> & P)].
      + rewrite X_won in Y by exact Le. unfold short_I, short_II in Y.
        destruct (le_lt_dec L (i - L)) as [C|C].
        * apply (won_to_won_L n d e (L * k) (D * k) i); first [assumption|reflexivity|lia].
        * apply (won_to_lost_L n d e (L * k) (D * k) i); first [assumption|reflexivity|lia].
      + rewrite X_lost in Y by lia. unfold short_I, short_II in Y.
        apply (lost_to_won_L n d e (L * k) (D * k) i); first [assumption|reflexivity|lia].
    - intros Y a I La. apply in_from_to in I. rewrite Cs, Cs'.
      fold (good (n - a) ((n - a) mod p)%nat (Z.of_nat (fI_ A (n - a)) - 1 - Z.of_nat e)
        (Z.of_nat (fII_ A (n - a)) - 1 - Z.of_nat d + Z.of_nat a)).
      destruct (le_lt_dec L i) as [C|C].
      + rewrite X_won in Y by exact C. assert (Y' : Q (short_II A n e - less i) < Q (short_I A n d))
          by lia. clear Y. unfold short_I, short_II in Y'.
        destruct (remainder_after n k i a B E I La) as [(Le & -> & P)|(Lt & U & V & -> & P)].
        * destruct (le_lt_dec L (i - a)) as [C'|C'].
          -- apply (won_to_won n d e (L * k) (D * k) i); first [assumption|reflexivity|lia].
          -- apply (won_to_lost n d e (L * k) (D * k) i); first [assumption|reflexivity|lia].
        * apply (won_to_earlier n d e (L * k) (D * k) i); first [assumption|reflexivity|lia].
      + rewrite X_lost in Y by exact C. assert (Y' : Q (short_II A n e) <= Q (short_I A n d)) by
          lia. clear Y. unfold short_I, short_II in Y'.
        destruct (remainder_after n k i a B E I La) as [(Le & -> & P)|(Lt & U & V & -> & P)];
          [lia|].
        apply (lost_to_won n d e (L * k) (D * k) i); first [assumption|reflexivity|lia].
  Qed.

  Theorem critical_8_2 n d e : critical A L n d e ->
    (I_wins A n d e <-> X (n mod (L + M)) (short_I A n d) (short_II A n e)).
  Proof.
    pose (Y := fun n => X (n mod (L + M))%nat).
    assert (Dec : forall n b b', Y n b b' \/ ~ Y n b b') by (intros; apply X_decided).
    exact (critical_states A (interval_positive L D L1 D1) L (interval_least L D L1 D1) Y Dec
      solution_8_2 n d e).
  Qed.

  (** Who wins for all n, d and e. *)
  Theorem win_condition_interval n d e : I_wins A n d e <->
    (fI_ A n <= d /\ (e < fII_ A n \/ W_ A n = true) \/
     d < fI_ A n /\ e < fII_ A n /\
       (e < gII L n /\ (gI L n <= d \/ e / L < d / L) \/
        gI L n <= d /\ gII L n <= e /\ X (n mod (L + M)) (short_I A n d) (short_II A n e)))%nat.
  Proof.
    exact (all_states A (interval_positive L D L1 D1) L (interval_least L D L1 D1)
      (fun n => X (n mod (L + M))%nat) critical_8_2 n d e).
  Qed.
End Interval.
