(** NIM with Cash (Gasarch, Purtilo, Ulrich), for every finite set A of takings. There are n stones;
    the mover holds d dollars, the other player e. Taking a stones, a in A, costs a dollars. Who
    cannot move loses.

    Theorems 2.2, 2.4, 3.5, 3.7 and 4.8 with their lemmas, under the numbers of the paper; where the
    paper is mended, this is said. *)

From Coq Require Import List Arith ZArith Lia Bool Wf_nat.
From Bouton Require Import Positions Outcomes Subtraction.
Import ListNotations.
Open Scope nat_scope.

(** * The game *)

(** A state: stones, dollars of the mover, dollars of the other player. *)
Definition state : Type := nat * nat * nat.

(** Player I is the mover. *)
Definition I_wins (A : list nat) (n d e : nat) : Prop := N_position (pays A) (n, d, e).
Definition II_wins (A : list nat) (n d e : nat) : Prop := P_position (pays A) (n, d, e).

(** * Definitions 2.1 and 2.3 *)

Definition max_of (l : list nat) : nat := fold_right max 0 l.
Definition min_of (l : list nat) : nat := match l with [] => 0 | x :: r => fold_right min x r end.

(** Whether Player I wins without cash, f^I and f^II of n stones, from those of fewer. [fair] are
    the a over which f^I is the least f^II(n-a) + a: if Player I wins without cash, those after
    which he goes on winning; otherwise those with f^I(n-a) = f^II(n). *)
Record values := { W : bool; fI : nat; fII : nat }.

Definition legal (A : list nat) (n : nat) : list nat := filter (fun a => a <=? n) A.
Definition step (A : list nat) (v : nat -> values) (n : nat) : values :=
  let wins := existsb (fun a => negb (W (v (n - a)))) (legal A n) in
  let most := max_of (map (fun a => fI (v (n - a))) (legal A n)) in
  let fair := filter (fun a => if wins then negb (W (v (n - a))) else fI (v (n - a)) =? most)
    (legal A n) in
  {| W := wins; fI := min_of (map (fun a => fII (v (n - a)) + a) fair); fII := most |}.
Fixpoint values_within (A : list nat) (depth n : nat) : values :=
  match depth with O => {| W := false; fI := 0; fII := 0 |} | S depth =>
    step A (values_within A depth) n end.
Definition values_of (A : list nat) (n : nat) : values := values_within A (S n) n.

Definition W_ A n := W (values_of A n).
Definition fI_ A n := fI (values_of A n).
Definition fII_ A n := fII (values_of A n).

(** * Definition 3.1 *)
Definition gI (a1 n : nat) : nat := let i := n mod (2 * a1) in (n - i) / 2 + min (i + 1) a1.
Definition gII (a1 n : nat) : nat := let i := n mod (2 * a1) in (n - i) / 2 + (i + 1 - a1).

(** The least member. *)
Definition least (A : list nat) (a1 : nat) : Prop := In a1 A /\ forall a, In a A -> a1 <= a.

(** ** Lists *)

Lemma max_of_ge x l : In x l -> x <= max_of l.
Proof. induction l as [|y l IH]; intros []; cbn; [subst; lia|]. specialize (IH H).
unfold max_of in IH. lia. Qed.

Lemma max_of_in l : l <> [] -> In (max_of l) l.
Proof.
  induction l as [|y l IH]; intro H; [easy|]. cbn. destruct l as [|z l]; [left; cbn; lia|].
  specialize (IH ltac:(easy)). fold (max_of (z :: l)).
  destruct (Nat.max_spec y (max_of (z :: l))) as [[_ ->]|[_ ->]]; auto.
Qed.

Lemma fold_min x l : (forall y, y = x \/ In y l -> fold_right min x l <= y) /\
  (fold_right min x l = x \/ In (fold_right min x l) l).
Proof.
  induction l as [|y l [IH1 IH2]]; cbn [fold_right In].
  - split; [intros y [->|[]]; lia|now left].
  - split.
    + intros z [->|[->|H]]; [|lia|]; [specialize (IH1 x (or_introl eq_refl))|specialize
        (IH1 z (or_intror H))]; lia.
    + destruct (Nat.min_spec y (fold_right min x l)) as [[_ ->]|[_ ->]]; [right; now left|].
      destruct IH2 as [->|H]; [now left|right; now right].
Qed.

Lemma min_of_le x l : In x l -> min_of l <= x.
Proof. destruct l as [|y l]; intros []; apply (proj1 (fold_min y l)); auto. Qed.

Lemma min_of_in l : l <> [] -> In (min_of l) l.
Proof. destruct l as [|y l]; [easy|]. intros _. cbn.
destruct (proj2 (fold_min y l)) as [->|H]; auto. Qed.

Lemma in_legal A n a : In a (legal A n) <-> In a A /\ a <= n.
Proof. unfold legal. now rewrite filter_In, Nat.leb_le. Qed.

Section Cash.
  Variable A : list nat.
  Hypothesis pos : positive A.

  (** * Lemma 1.12: who wins *)

  Lemma cash_ends : well_founded (fun t s => pays A s t).
  Proof.
    intros [[n d] e]. revert d e. induction n as [n IH] using (well_founded_induction lt_wf).
    intros d e. constructor.
    intros t (a & I & L & _ & ->). apply IH. specialize (pos a I). lia.
  Qed.

  Lemma pay n d e a : In a A -> a <= n -> a <= d -> pays A (n, d, e) (n - a, e, d - a).
  Proof. intros I L D. exists a. auto. Qed.

  (** Lemma 1.12. *)
  Theorem I_wins_iff n d e :
    I_wins A n d e <-> exists a, In a A /\ a <= n /\ a <= d /\ II_wins A (n - a) e (d - a).
  Proof.
    split.
    - intros [q (a & I & L & D & ->) P]. now exists a.
    - intros (a & I & L & D & P). apply some_option_P with (n - a, e, d - a);
        [now apply pay|exact P].
  Qed.

  Theorem II_wins_iff n d e :
    II_wins A n d e <-> forall a, In a A -> a <= n -> a <= d -> I_wins A (n - a) e (d - a).
  Proof.
    split.
    - intros [all] a I L D. apply all. now apply pay.
    - intro all. constructor. intros q (a & I & L & D & ->). now apply all.
  Qed.

  Theorem not_both_win n d e : II_wins A n d e -> I_wins A n d e -> False.
  Proof. apply not_both, cash_ends. Qed.

  (** ** The definitions, as the paper states them *)

  Lemma step_same v v' n : (forall m, m < n -> v m = v' m) -> step A v n = step A v' n.
  Proof.
    intro H. assert (S : forall a, In a (legal A n) -> v (n - a) = v' (n - a)).
    { intros a I. apply in_legal in I as [I L]. apply H. specialize (pos a I). lia. }
    assert (E : existsb (fun a => negb (W (v (n - a)))) (legal A n) = existsb
      (fun a => negb (W (v' (n - a)))) (legal A n)).
    { apply eq_true_iff_eq. rewrite !existsb_exists.
      split; intros (a & I & X); exists a; (split; [exact I|]); [rewrite <- S|rewrite S]; auto. }
    assert (M : map (fun a => fI (v (n - a))) (legal A n) = map (fun a => fI (v' (n - a)))
      (legal A n)).
    { apply map_ext_in. intros a I. now rewrite S. }
    unfold step. rewrite E, M. f_equal. f_equal.
    rewrite (filter_ext_in _ (fun a => if existsb (fun a => negb (W (v' (n - a)))) (legal A n) then
      negb (W (v' (n - a)))
      else fI (v' (n - a)) =? max_of (map (fun a => fI (v' (n - a))) (legal A n)))) by (intros a I;
        now rewrite S).
    apply map_ext_in. intros a I. apply filter_In in I as [I _]. now rewrite S.
  Qed.

  Lemma deep_enough depth n : n < depth -> values_within A depth n = values_of A n.
  Proof.
    revert n. induction depth as [|depth IH]; intros n H; [lia|]. unfold values_of.
    cbn [values_within]. apply step_same. intros m L.
    rewrite (IH m) by lia. unfold values_of.
    assert (X : forall k, m < k -> k <= n -> values_within A (S m) m = values_within A k m).
    { intros k. revert L. clear -pos. revert k.
      induction m as [m IH] using (well_founded_induction lt_wf). intros [|k] L Hk Hn; [lia|].
      cbn [values_within]. apply step_same. intros x Hx.
      destruct (Nat.eq_dec m k) as [->|]; [reflexivity|].
      rewrite <- (IH x Hx m) by lia. apply IH; lia. }
    apply X; lia.
  Qed.

  Lemma values_eq n : values_of A n = step A (values_of A) n.
  Proof. unfold values_of at 1. cbn [values_within]. apply step_same. intros m H.
  now apply deep_enough. Qed.

  Notation w := (W_ A).
  Notation f1 := (fI_ A).
  Notation f2 := (fII_ A).

  Theorem W_def n : w n = true <-> exists a, In a A /\ a <= n /\ w (n - a) = false.
  Proof.
    unfold W_ at 1. rewrite values_eq. cbn [W step]. rewrite existsb_exists. split.
    - intros (a & I & H). apply in_legal in I as [I L]. exists a. repeat split; auto.
      now apply negb_true_iff.
    - intros (a & I & L & H). exists a. split; [now apply in_legal|]. now apply negb_true_iff.
  Qed.

  (** f^II(n) is the greatest f^I(n-a), and 0 if there is no move. *)
  Theorem fII_def n :
    (forall a, In a A -> a <= n -> f1 (n - a) <= f2 n) /\
    ((exists a, In a A /\ a <= n /\ f1 (n - a) = f2 n) \/ (forall a, In a A -> n < a) /\ f2 n = 0).
  Proof.
    assert (E : f2 n = max_of (map (fun a => f1 (n - a)) (legal A n))) by (unfold fII_ at 1;
      rewrite values_eq; reflexivity).
    split.
    - intros a I L. rewrite E. apply max_of_ge, (in_map (fun a => f1 (n - a))). now apply in_legal.
    - destruct (legal A n) as [|x l] eqn:X.
      + right. split; [|exact E]. intros a I. destruct (le_lt_dec a n) as [L|]; [|assumption].
        assert (In a (legal A n)) by now apply in_legal. rewrite X in H. destruct H.
      + left. assert (M : In (f2 n) (map (fun a => f1 (n - a)) (legal A n))) by (rewrite E, X;
          now apply max_of_in).
        apply in_map_iff in M as (a & V & I). apply in_legal in I as [I L]. now exists a.
  Qed.

  (** f^I(n) is the least f^II(n-a) + a over fair a, and 0 if there is no move. *)
  Definition fair n a : Prop := In a A /\ a <= n /\ if w n then w (n - a) = false else f1 (n - a) =
    f2 n.

  Theorem fI_def n :
    (forall a, fair n a -> f1 n <= f2 (n - a) + a) /\
    ((exists a, fair n a /\ f1 n = f2 (n - a) + a) \/ (forall a, In a A -> n < a) /\ f1 n = 0).
  Proof.
    set (l := filter (fun a => if w n then negb (w (n - a)) else f1 (n - a) =? f2 n) (legal A n)).
    assert (E : f1 n = min_of (map (fun a => f2 (n - a) + a) l)).
    { unfold l, W_ at 1, fI_ at 1, fII_ at 2. rewrite values_eq. reflexivity. }
    assert (F : forall a, In a l <-> fair n a).
    { intro a. unfold l, fair. rewrite filter_In, in_legal. destruct (w n).
      - rewrite negb_true_iff. tauto.
      - rewrite Nat.eqb_eq. tauto. }
    split.
    - intros a I. rewrite E. apply min_of_le, (in_map (fun a => f2 (n - a) + a)). now apply F.
    - destruct l as [|x l'] eqn:X.
      + right. split; [|exact E]. destruct (proj2 (fII_def n)) as [(a & I & L & V)|[none _]];
          [|exact none]. exfalso.
        destruct (w n) eqn:Wn.
        * apply W_def in Wn as Wn'. destruct Wn' as (b & Ib & Lb & Vb). apply (F b). unfold fair.
          now rewrite Wn.
        * apply (F a). unfold fair. now rewrite Wn.
      + left. assert (M : In (f1 n) (map (fun a => f2 (n - a) + a) (x :: l'))) by (rewrite E;
          now apply min_of_in).
        apply in_map_iff in M as (a & V & I). exists a. split; [now apply F|easy].
  Qed.

  (** W is who wins without cash. *)
  Theorem W_without_cash n : w n = true <-> N_position (takes A) n.
  Proof.
    assert (P : forall n, P_position (takes A) n <-> w n = false).
    { apply characterised_everywhere; [now apply taking_ends| |].
      - intros m m' V (a & I & L & ->) V'. rewrite (proj2 (W_def m)) in V;
          [discriminate|now exists a].
      - intro m. destruct (w m) eqn:V; [right|now left]. apply W_def in V as (a & I & L & V).
        exists (m - a). split; [now exists a|exact V]. }
    split.
    - intro V. apply W_def in V as (a & I & L & V).
      apply some_option_P with (n - a); [now exists a|now apply P].
    - intros [q (a & I & L & ->) Q]. apply W_def. exists a. repeat split; auto. now apply P.
  Qed.

  (** * Section 2: at least one player is rich *)

  Lemma rich n :
    (forall d e, f1 n <= d -> e < f2 n \/ w n = true -> I_wins A n d e) /\
    (forall d e, f2 n <= e -> d < f1 n \/ w n = false -> II_wins A n d e).
  Proof.
    induction n as [n IH] using (well_founded_induction lt_wf).
    destruct (fI_def n) as [least1 attained1]. destruct (fII_def n) as [most2 attained2]. split.
    - intros d e D H. destruct attained1 as [(a & (I & L & F) & V)|[none V]].
      + apply I_wins_iff. exists a. assert (P := pos a I). repeat split; auto; [lia|].
        apply IH; [lia|lia|].
        destruct (w n) eqn:Wn; [now right|]. left. destruct H as [H|]; [lia|discriminate].
      + exfalso. destruct H as [H|H].
        * destruct attained2 as [(a & I & L & _)|[_ Z]]; [specialize (none a I)|]; lia.
        * apply W_def in H as (a & I & L & _). specialize (none a I). lia.
    - intros d e E H. apply II_wins_iff. intros a I L D. assert (P := pos a I). apply IH; [lia| |].
      + specialize (most2 a I L). lia.
      + destruct (w (n - a)) eqn:Wa; [now right|left]. destruct (w n) eqn:Wn.
        * assert (F : fair n a) by (unfold fair; rewrite Wn; auto). specialize (least1 a F).
          destruct H as [H|]; [lia|discriminate].
        * rewrite (proj2 (W_def n)) in Wn; [discriminate|now exists a].
  Qed.

  (** Theorem 2.2 (1), (2): the winner without cash wins with f against any purse, *)
  Theorem theorem_2_2_I n e : w n = true -> I_wins A n (f1 n) e.
  Proof. intro H. apply rich; auto. Qed.
  Theorem theorem_2_2_II n d : w n = false -> II_wins A n d (f2 n).
  Proof. intro H. apply rich; auto. Qed.

  (** Theorem 2.4. *)
  Theorem theorem_2_4_1 n d e : f1 n <= d -> e < f2 n -> I_wins A n d e.
  Proof. intros. apply rich; auto. Qed.
  Theorem theorem_2_4_2 n d e : d < f1 n -> f2 n <= e -> II_wins A n d e.
  Proof. intros. apply rich; auto. Qed.
  Theorem theorem_2_4_3 n d e : f1 n <= d -> f2 n <= e -> (I_wins A n d e <-> w n = true).
  Proof.
    intros D E. split; intro H; [|apply rich; auto]. destruct (w n) eqn:Wn; [reflexivity|].
    destruct (not_both_win n d e); [apply rich|]; auto.
  Qed.

  (** The text before Definition 2.1: f of the winner is the least purse that wins against any
      other. *)
  Theorem fI_least n d : w n = true -> ((forall e, I_wins A n d e) <-> f1 n <= d).
  Proof.
    intro H. split; [|intros D e; apply rich; auto]. intro all.
    destruct (le_lt_dec (f1 n) d) as [|L]; [assumption|].
    destruct (not_both_win n d (f2 n)); [apply theorem_2_4_2|]; auto.
  Qed.
  Theorem fII_least n e : w n = false -> ((forall d, II_wins A n d e) <-> f2 n <= e).
  Proof.
    intro H. split; [|intros E d; apply rich; auto]. intro all.
    destruct (le_lt_dec (f2 n) e) as [|L]; [assumption|].
    destruct (not_both_win n (f1 n) e); [|apply theorem_2_4_1]; auto.
  Qed.
End Cash.

(** * Section 3: at least one player is poor *)

Section G.
  Variable a1 : nat.
  Hypothesis one : 0 < a1.

  (** n = 2z + r or n = 2z + a1 + r, where z is a multiple of a1 and r < a1. *)
  Lemma halves n : exists q r, r < a1 /\
    (n = 2 * (a1 * q) + r /\ gI a1 n = a1 * q + r + 1 /\ gII a1 n = a1 * q \/
     n = 2 * (a1 * q) + a1 + r /\ gI a1 n = a1 * q + a1 /\ gII a1 n = a1 * q + r + 1).
  Proof.
    pose proof (Nat.div_mod n (2 * a1) ltac:(lia)) as E.
    pose proof (Nat.mod_upper_bound n (2 * a1) ltac:(lia)) as B.
    unfold gI, gII. set (i := n mod (2 * a1)) in *. set (q := n / (2 * a1)) in *.
    rewrite <- Nat.mul_assoc in E. set (z := a1 * q) in *.
    assert (H : (n - i) / 2 = z) by (symmetry; apply Nat.div_unique with 0; lia). rewrite H.
    exists q.
    destruct (le_lt_dec a1 i) as [L|L]; [exists (i - a1)|exists i]; fold z; lia.
  Qed.

  Lemma halves_of q r : r < a1 ->
    (gI a1 (2 * (a1 * q) + r) = a1 * q + r + 1 /\ gII a1 (2 * (a1 * q) + r) = a1 * q) /\
    (gI a1 (2 * (a1 * q) + a1 + r) = a1 * q + a1 /\ gII a1 (2 * (a1 * q) + a1 + r) = a1 * q + r +
      1).
  Proof.
    intro R. split.
    - destruct (halves (2 * (a1 * q) + r)) as (q' & r' & R' & [(E & -> & ->)|(E & -> & ->)]).
      + assert (q' = q) by nia. subst. nia.
      + exfalso. destruct (le_lt_dec q q'); nia.
    - destruct (halves (2 * (a1 * q) + a1 + r)) as (q' & r' & R' & [(E & -> & ->)|(E & -> & ->)]).
      + exfalso. destruct (le_lt_dec q' q); nia.
      + assert (q' = q) by nia. subst. nia.
  Qed.

  (** Lemma 3.2. *)
  Theorem lemma_3_2 n k : gI a1 (n + 2 * k * a1) = gI a1 n + k * a1 /\
    gII a1 (n + 2 * k * a1) = gII a1 n + k * a1.
  Proof.
    destruct (halves n) as (q & r & R & [(E & -> & ->)|(E & -> & ->)]).
    - replace (n + 2 * k * a1) with (2 * (a1 * (q + k)) + r) by nia.
      destruct (proj1 (halves_of (q + k) r R)) as [-> ->]. nia.
    - replace (n + 2 * k * a1) with (2 * (a1 * (q + k)) + a1 + r) by nia.
      destruct (proj2 (halves_of (q + k) r R)) as [-> ->]. nia.
  Qed.

  (** Taking a1, and one stone. *)
  Lemma after_least n : a1 <= n -> gI a1 (n - a1) = gII a1 n /\ gII a1 (n - a1) + a1 = gI a1 n.
  Proof.
    intro L. destruct (halves n) as (q & r & R & [(E & -> & ->)|(E & -> & ->)]).
    - assert (Q : 0 < q) by (destruct q; nia).
      replace (n - a1) with (2 * (a1 * (q - 1)) + a1 + r) by nia.
      destruct (proj2 (halves_of (q - 1) r R)) as [-> ->]. nia.
    - replace (n - a1) with (2 * (a1 * q) + r) by nia.
      destruct (proj1 (halves_of q r R)) as [-> ->]. nia.
  Qed.

  Lemma after_one n : gI a1 n <= gI a1 (S n) <= S (gI a1 n) /\
    gII a1 n <= gII a1 (S n) <= S (gII a1 n).
  Proof.
    destruct (halves n) as (q & r & R & [(E & -> & ->)|(E & -> & ->)]);
      destruct (Nat.eq_dec (S r) a1) as [H|H].
    - replace (S n) with (2 * (a1 * q) + a1 + 0) by lia.
      destruct (proj2 (halves_of q 0 one)) as [-> ->]. lia.
    - replace (S n) with (2 * (a1 * q) + S r) by lia.
      destruct (proj1 (halves_of q (S r) ltac:(lia))) as [-> ->]. lia.
    - replace (S n) with (2 * (a1 * (S q)) + 0) by nia.
      destruct (proj1 (halves_of (S q) 0 one)) as [-> ->]. nia.
    - replace (S n) with (2 * (a1 * q) + a1 + S r) by lia.
      destruct (proj2 (halves_of q (S r) ltac:(lia))) as [-> ->]. lia.
  Qed.

  Lemma after_some n k : gI a1 n <= gI a1 (n + k) <= gI a1 n + k /\
    gII a1 n <= gII a1 (n + k) <= gII a1 n + k.
  Proof.
    induction k as [|k IH]; [rewrite Nat.add_0_r; lia|]. replace (n + S k) with (S (n + k)) by lia.
    pose proof (after_one (n + k)). lia.
  Qed.

  (** Lemma 3.3. *)
  Theorem lemma_3_3 n a : a1 <= a -> a <= n -> gI a1 n <= gII a1 (n - a) + a.
  Proof.
    intros L H. pose proof (after_least n ltac:(lia)) as [_ E].
    pose proof (after_some (n - a) (a - a1)) as [_ S].
    replace (n - a + (a - a1)) with (n - a1) in S by lia. lia.
  Qed.

  (** Lemma 3.4. *)
  Theorem lemma_3_4 n : a1 <= n -> gII a1 n = gI a1 (n - a1).
  Proof. intro L. symmetry. now apply after_least. Qed.

  Lemma division x : exists t s, s < a1 /\ x = a1 * t + s /\ x / a1 = t.
  Proof. exists (x / a1), (x mod a1). pose proof (Nat.div_mod x a1 ltac:(lia)).
  pose proof (Nat.mod_upper_bound x a1 ltac:(lia)). auto. Qed.

  Lemma quotient_lt x q : x < a1 * q -> x / a1 < q.
  Proof. intro H. apply Nat.div_lt_upper_bound; lia. Qed.
  Lemma quotient_ge x q : a1 * q <= x -> q <= x / a1.
  Proof. intro H. apply Nat.div_le_lower_bound; lia. Qed.

  (** Lemma 3.6. *)
  Theorem lemma_3_6_1 n d e : e < gII a1 n -> gI a1 n <= d -> e / a1 < d / a1.
  Proof.
    destruct (halves n) as (q & r & R & [(_ & -> & ->)|(_ & -> & ->)]); intros E D.
    - pose proof (quotient_lt e q). pose proof (quotient_ge d q). lia.
    - pose proof (quotient_lt e (q + 1)). pose proof (quotient_ge d (q + 1)). lia.
  Qed.
  Theorem lemma_3_6_2 n d e : d < gI a1 n -> gII a1 n <= e -> d / a1 <= e / a1.
  Proof.
    destruct (halves n) as (q & r & R & [(_ & -> & ->)|(_ & -> & ->)]); intros D E;
      pose proof (quotient_lt d (q + 1)); pose proof (quotient_ge e q); lia.
  Qed.

  (** Lemma 4.7. *)
  Theorem lemma_4_7_1 n d : a1 <= n -> gI a1 n < d -> gII a1 (n - a1) < d - a1.
  Proof. intros L H. destruct (after_least n L). lia. Qed.
  Theorem lemma_4_7_2 n a e : a1 <= a -> a <= n -> gII a1 n < e -> gI a1 (n - a) < e.
  Proof.
    intros L H E. destruct (after_least n ltac:(lia)) as [F _].
    pose proof (after_some (n - a) (a - a1)) as [S _].
    replace (n - a + (a - a1)) with (n - a1) in S by lia. lia.
  Qed.
  Lemma not_poor n a : a1 <= a -> a <= n -> gI a1 (n - a) <= gII a1 n.
  Proof.
    intros L H. destruct (after_least n ltac:(lia)) as [F _].
    pose proof (after_some (n - a) (a - a1)) as [S _].
    replace (n - a + (a - a1)) with (n - a1) in S by lia. lia.
  Qed.

  Lemma gII_small n : n < a1 -> gI a1 n = n + 1 /\ gII a1 n = 0.
  Proof. intro H. destruct (proj1 (halves_of 0 n H)) as [G G'].
  rewrite Nat.mul_0_r, Nat.mul_0_r, Nat.add_0_l in *. now split. Qed.
End G.

Section Poor.
  Variable A : list nat.
  Hypothesis pos : positive A.
  Variable a1 : nat.
  Hypothesis min_A : least A a1.

  Lemma one : 0 < a1.
  Proof. apply pos, min_A. Qed.

  (** Theorem 3.5. *)
  Lemma poor n : forall d e,
    (e < gII a1 n -> e / a1 < d / a1 -> I_wins A n d e) /\
      (d < gI a1 n -> d / a1 <= e / a1 -> II_wins A n d e).
  Proof.
    pose proof one as One. destruct min_A as [In1 Least].
    induction n as [n IH] using (well_founded_induction lt_wf). intros d e. split.
    - intros E Q. destruct (le_lt_dec a1 n) as [L|L]; [|destruct (gII_small a1 One n L); lia].
      apply I_wins_iff.
      destruct (division a1 One d) as (t & s & S & D & T). exists a1.
      assert (D' : a1 <= d) by (destruct t; nia). repeat split; auto.
      apply IH; [lia| |].
      + now rewrite <- lemma_3_4.
      + replace ((d - a1) / a1) with (t - 1) by (apply Nat.div_unique with s; nia). lia.
    - intros D Q. apply II_wins_iff. intros a I L D'. specialize (Least a I). apply IH; [lia| |].
      + pose proof (lemma_3_3 a1 One n a Least L). lia.
      + destruct (division a1 One d) as (t & s & S & Dd & T).
        destruct (division a1 One (d - a)) as (t' & s' & S' & Dd' & T'). rewrite T in Q.
        rewrite T'. enough (t' < t) by lia. nia.
  Qed.

  Theorem theorem_3_5_1 n d e : e < gII a1 n -> e / a1 < d / a1 -> I_wins A n d e.
  Proof. apply poor. Qed.
  Theorem theorem_3_5_2 n d e : d < gI a1 n -> d / a1 <= e / a1 -> II_wins A n d e.
  Proof. apply poor. Qed.

  (** Theorem 3.7. *)
  Theorem theorem_3_7_1 n d e : gI a1 n <= d -> e < gII a1 n -> I_wins A n d e.
  Proof. intros D E. apply theorem_3_5_1; [exact E|]. apply lemma_3_6_1 with n; auto. apply one.
  Qed.
  Theorem theorem_3_7_2 n d e : d < gI a1 n -> gII a1 n <= e -> II_wins A n d e.
  Proof. intros D E. apply theorem_3_5_2; [exact D|]. apply lemma_3_6_2 with n; auto. apply one.
  Qed.
  Theorem theorem_3_7_3 n d e : d < gI a1 n -> e < gII a1 n -> (I_wins A n d e <-> e / a1 < d / a1).
  Proof.
    intros D E. split; intro H; [|now apply theorem_3_5_1].
    destruct (le_lt_dec (d / a1) (e / a1)) as [L|]; [|assumption].
    destruct (not_both_win A pos n d e); [now apply theorem_3_5_2|exact H].
  Qed.

  (** Note 4.2, mended: g <= f of the winner without cash, and g <= f + a1 of both players. *)
  Theorem note_4_2_winner n : (W_ A n = true -> gI a1 n <= fI_ A n) /\
    (W_ A n = false -> gII a1 n <= fII_ A n).
  Proof.
    pose proof one as One. split; intro H.
    - destruct (le_lt_dec (gI a1 n) (fI_ A n)) as [|L]; [assumption|]. exfalso.
      apply (not_both_win A pos n (fI_ A n) (fI_ A n)).
      + apply theorem_3_5_2; auto.
      + now apply theorem_2_2_I.
    - destruct (le_lt_dec (gII a1 n) (fII_ A n)) as [|L]; [assumption|]. exfalso.
      apply (not_both_win A pos n (fII_ A n + a1) (fII_ A n)).
      + now apply theorem_2_2_II.
      + apply theorem_3_5_1; auto. replace (fII_ A n + a1) with (fII_ A n + 1 * a1) by lia.
        rewrite Nat.div_add by lia. lia.
  Qed.

  Theorem note_4_2_both n : gI a1 n <= fI_ A n + a1 /\ gII a1 n <= fII_ A n + a1.
  Proof.
    pose proof one as One. destruct min_A as [In1 Least].
    induction n as [n IH] using (well_founded_induction lt_wf).
    destruct (le_lt_dec a1 n) as [L|L]; [|destruct (gII_small a1 One n L) as [-> ->]; lia]. split.
    - destruct (proj2 (fI_def A pos n)) as [(a & (I & La & _) & ->)|[none _]];
        [|specialize (none a1 In1); lia].
      specialize (Least a I). pose proof (lemma_3_3 a1 One n a Least La).
      specialize (IH (n - a) ltac:(lia)). lia.
    - rewrite lemma_3_4 by auto. specialize (IH (n - a1) ltac:(lia)).
      pose proof (proj1 (fII_def A pos n) a1 In1 L). lia.
  Qed.

  (** * Section 4: neither is rich or poor *)

  (** Definition 4.1, with f^II(n) for the second f^I(n). *)
  Definition critical n d e : Prop := gI a1 n <= d < fI_ A n /\ gII a1 n <= e < fII_ A n.

  Open Scope Z_scope.

  (** Definition 4.3: how many dollars a player is short of f. *)
  Definition short_I n d : Z := Z.of_nat (fI_ A n) - 1 - Z.of_nat d.
  Definition short_II n e : Z := Z.of_nat (fII_ A n) - 1 - Z.of_nat e.

  (** Definition 4.4, with C^I(n,a) = f^I(n) - f^II(n-a) - a. *)
  Definition C_I n a : Z := Z.of_nat (fI_ A n) - Z.of_nat (fII_ A (n - a)) - Z.of_nat a.
  Definition C_II n a : Z := Z.of_nat (fII_ A n) - Z.of_nat (fI_ A (n - a)).

  (** Lemma 4.5. *)
  Theorem lemma_4_5 n d e a : (a <= d)%nat ->
    short_II (n - a) (d - a) = short_I n d - C_I n a /\ short_I (n - a) e = short_II n e - C_II n a.
  Proof. unfold short_I, short_II, C_I, C_II. lia. Qed.

  (** Definition 4.6 for a set [X] of triples (n; b, b'). As the paper has it, n is known modulo m
      only: see below. *)
  Definition solution (X : nat -> Z -> Z -> Prop) : Prop :=
    forall n d e, critical n d e -> let b := short_I n d in let b' := short_II n e in
    (X n b b' ->
      let c := b' - C_II n a1 in let c' := b - C_I n a1 in
      0 <= c /\ 0 <= c' /\ ~ X (n - a1)%nat c c' \/ 0 <= c /\ c' < 0 \/ c < 0 /\ c' < 0 /\
        W_ A (n - a1) = false) /\
    (~ X n b b' -> forall a, In a A -> (a <= n)%nat ->
      let c := b' - C_II n a in let c' := b - C_I n a in
      0 <= c /\ 0 <= c' /\ X (n - a)%nat c c' \/ c < 0 /\ 0 <= c' \/ c < 0 /\ c' < 0 /\
        W_ A (n - a) = true).

  (** Theorem 4.8 for sets that know n. *)
  Theorem critical_states X (decided : forall n b b', X n b b' \/ ~ X n b b') : solution X ->
    forall n d e, critical n d e -> (I_wins A n d e <-> X n (short_I n d) (short_II n e)).
  Proof.
    intros Sol. pose proof one as One. destruct min_A as [In1 Least].
    assert (H : forall n d e, critical n d e ->
      (X n (short_I n d) (short_II n e) -> I_wins A n d e) /\
        (~ X n (short_I n d) (short_II n e) -> II_wins A n d e)).
    { intro n. induction n as [n IH] using (well_founded_induction lt_wf). intros d e C.
      destruct (Sol n d e C) as [In_X Out_X].
      assert (L : (a1 <= n)%nat).
      { destruct (proj2 (fI_def A pos n)) as [(a & (I & L & _) & _)|[_ Z]];
          [specialize (Least a I); lia|]. destruct C. lia. }
      destruct C as [CI CII]. split.
      - intro H. specialize (In_X H). cbv zeta in In_X. apply I_wins_iff.
        destruct (after_least a1 One n L) as [G1 G2].
        exists a1. assert (D : (a1 <= d)%nat) by lia. repeat split; auto.
        destruct (lemma_4_5 n d e a1 D) as [E1 E2]. rewrite <- E1, <- E2 in In_X.
        destruct In_X as [(P & P' & N)|[(P & P')|(P & P' & V)]].
        + apply IH; [lia| |exact N]. unfold critical. unfold short_I in P. unfold short_II in P'.
          lia.
        + apply theorem_2_4_2; auto; unfold short_I in P; unfold short_II in P'; lia.
        + apply (rich A pos); auto. unfold short_II in P'; lia.
      - intro H. specialize (Out_X H). apply II_wins_iff. intros a I La D.
        specialize (Out_X a I La). cbv zeta in Out_X.
        specialize (Least a I). destruct (lemma_4_5 n d e a D) as [E1 E2].
        rewrite <- E1, <- E2 in Out_X.
        pose proof (not_poor a1 One n a Least La) as NP.
        destruct (le_lt_dec (gII a1 (n - a)) (d - a)) as [Q|Q]; [|apply theorem_3_7_1; lia].
        destruct Out_X as [(P & P' & N)|[(P & P')|(P & P' & V)]].
        + apply IH; [lia| |exact N]. unfold critical. unfold short_I in P. unfold short_II in P'.
          lia.
        + apply theorem_2_4_1; auto; unfold short_I in P; unfold short_II in P'; lia.
        + apply (rich A pos); auto. unfold short_I in P; lia. }
    intros n d e C. destruct (H n d e C) as [Yes No]. split; [|exact Yes]. intro I.
    destruct (decided n (short_I n d) (short_II n e)) as [Y|N]; [exact Y|].
    destruct (not_both_win A pos n d e); auto.
  Qed.

  (** Definition 4.4 (3), (4): cash-periodic with period m, with these c^I, c^II. *)
  Definition cash_periodic (m : nat) (c1 c2 : nat -> nat -> Z) : Prop :=
    (0 < m)%nat /\ (forall n, W_ A n = W_ A (n mod m)%nat) /\
    forall n a, In a A -> (a <= n)%nat -> C_I n a = c1 (n mod m)%nat a /\
      C_II n a = c2 (n mod m)%nat a.

  (** i - a modulo m. *)
  Definition minus (m i a : nat) : nat := Z.to_nat ((Z.of_nat i - Z.of_nat a) mod Z.of_nat m).

  (** Definition 4.6. *)
  Definition solution_set (m : nat) (c1 c2 : nat -> nat -> Z) (X : nat -> Z -> Z -> Prop) : Prop :=
    forall i b b', (i < m)%nat -> 0 <= b -> 0 <= b' ->
    (X i b b' ->
      let j := minus m i a1 in let c := b' - c2 i a1 in let c' := b - c1 i a1 in
      0 <= c /\ 0 <= c' /\ ~ X j c c' \/ 0 <= c /\ c' < 0 \/ c < 0 /\ c' < 0 /\ W_ A j = false) /\
    (~ X i b b' -> forall a, In a A ->
      let j := minus m i a in let c := b' - c2 i a in let c' := b - c1 i a in
      0 <= c /\ 0 <= c' /\ X j c c' \/ c < 0 /\ 0 <= c' \/ c < 0 /\ c' < 0 /\ W_ A j = true).

  Lemma minus_mod m n a : (0 < m)%nat -> (a <= n)%nat ->
    minus m (n mod m)%nat a = ((n - a) mod m)%nat.
  Proof.
    intros M L. unfold minus. apply Nat2Z.inj. rewrite Z2Nat.id by (apply Z.mod_pos_bound; lia).
    rewrite !Nat2Z.inj_mod, Nat2Z.inj_sub by lia. rewrite Zminus_mod_idemp_l. reflexivity.
  Qed.

  (** Theorem 4.8 where C^I and C^II need be these at critical n only. *)
  Theorem periodic_where_critical m c1 c2 X (decided : forall i b b', X i b b' \/ ~ X i b b') :
    (0 < m)%nat -> (forall n, W_ A n = W_ A (n mod m)%nat) ->
    (forall n d e, critical n d e -> forall a, In a A -> (a <= n)%nat ->
      C_I n a = c1 (n mod m)%nat a /\ C_II n a = c2 (n mod m)%nat a) ->
    solution_set m c1 c2 X ->
    forall n d e, critical n d e -> (I_wins A n d e <->
      X (n mod m)%nat (short_I n d) (short_II n e)).
  Proof.
    intros M Per Cs Sol. destruct min_A as [In1 Least].
    apply (critical_states (fun n => X (n mod m)%nat)); [intros; apply decided|].
    intros n d e C. specialize (Cs n d e C). cbv zeta.
    pose proof (Nat.mod_upper_bound n m ltac:(lia)) as B.
    assert (L : (a1 <= n)%nat).
    { destruct (proj2 (fI_def A pos n)) as [(a & (I & L & _) & _)|[_ Z]];
        [specialize (Least a I); lia|]. destruct C. lia. }
    destruct (Sol (n mod m)%nat (short_I n d) (short_II n e) B) as [In_X Out_X];
      [unfold critical, short_I, short_II in *; lia..|]. split.
    - intro H. specialize (In_X H). cbv zeta in In_X. rewrite minus_mod in In_X by auto.
      destruct (Cs a1 In1 L) as [-> ->].
      rewrite (Per (n - a1)%nat). exact In_X.
    - intros H a I La. specialize (Out_X H a I). cbv zeta in Out_X.
      rewrite minus_mod in Out_X by auto. destruct (Cs a I La) as [-> ->].
      rewrite (Per (n - a)%nat). exact Out_X.
  Qed.

  (** Theorem 4.8. *)
  Theorem theorem_4_8 m c1 c2 X (decided : forall i b b', X i b b' \/ ~ X i b b') :
    cash_periodic m c1 c2 -> solution_set m c1 c2 X ->
    forall n d e, critical n d e -> (I_wins A n d e <->
      X (n mod m)%nat (short_I n d) (short_II n e)).
  Proof. intros (M & Per & Cs). apply periodic_where_critical; auto. Qed.

  (** Who wins in every state, from who wins in critical states: Theorems 2.4 and 3.7 tell the
    rest. *)
  Theorem all_states (X : nat -> Z -> Z -> Prop) :
    (forall n d e, critical n d e -> (I_wins A n d e <-> X n (short_I n d) (short_II n e))) ->
    forall n d e, I_wins A n d e <->
      (fI_ A n <= d /\ (e < fII_ A n \/ W_ A n = true) \/
       d < fI_ A n /\ e < fII_ A n /\
         (e < gII a1 n /\ (gI a1 n <= d \/ e / a1 < d / a1) \/
          gI a1 n <= d /\ gII a1 n <= e /\ X n (short_I n d) (short_II n e)))%nat.
  Proof.
    intros Mid n d e. pose proof (not_both_win A pos n d e) as Both.
    destruct (le_lt_dec (fI_ A n) d) as [F|F]; destruct (le_lt_dec (fII_ A n) e) as [F'|F'].
    - rewrite (theorem_2_4_3 A pos n d e F F'). split; [auto|].
      intros [[_ [?|?]]|[? _]]; [lia|assumption|lia].
    - split; [auto|]. intros _. now apply theorem_2_4_1.
    - split; [|intros [[? _]|[_ [? _]]]; lia]. intro I.
      destruct Both; [now apply theorem_2_4_2|exact I].
    - destruct (le_lt_dec (gI a1 n) d) as [G|G]; destruct (le_lt_dec (gII a1 n) e) as [G'|G'].
      + rewrite Mid by (unfold critical; lia). split; [intro H; right; auto 7|].
        intros [[? _]|(_ & _ & [[? _]|(_ & _ & H)])]; [lia|lia|exact H].
      + split; [intros _; right; auto 7|]. intros _. now apply theorem_3_7_1.
      + split; [|intros [[? _]|(_ & _ & [[? _]|[? _]])]; lia]. intro I.
        destruct Both; [now apply theorem_3_7_2|exact I].
      + rewrite (theorem_3_7_3 n d e G G'). split; [intro H; right; auto 7|].
        intros [[? _]|(_ & _ & [[_ [?|H]]|[? _]])]; [lia|lia|exact H|lia].
  Qed.
End Poor.
