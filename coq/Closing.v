(** Circles that close up: heaps that become empty leave the circle. For each number of heaps the
    claims of that number and of all smaller ones are compared with the rules as in Games.v; who has
    won follows for all of them at once. *)

From Coq Require Import List NArith ZArith Lia Bool FMapPositive.
From Bouton Require Import Positions Forms Refute Formulas Cover Games.
Import ListNotations.
Open Scope nat_scope.

(** * Which heaps are left *)

(** All choices of places. *)
Fixpoint sublists (l : list nat) : list (list nat) :=
  match l with
  | [] => [[]]
  | i :: l => let r := sublists l in map (cons i) r ++ r
  end.

Definition left (l : list nat) (m : nat) : list nat := filter (fun i => mem i l) (seq 0 m).

(** The places of what is left, in every order of the circle, and of what is gone, behind them. *)
Definition turns (m : nat) (l : list nat) : list (list nat * nat) :=
  let kept := left l m in
  map (fun d => (filter (fun i => mem i kept) d ++ filter (fun i => negb (mem i kept)) d,
    length kept))
    (filter (fun d => match kept, d with [], _ => true | _, i :: _ => mem i kept | _, [] =>
      false end) (dihedral m)).

Definition reach (m k : nat) : list (list nat) := arcs m (Nat.min k m).

(** Whether a move can empty all heaps but these. *)
Definition leaves (m k : nat) (l : list nat) : bool :=
  existsb (fun w => among (filter (fun i => negb (mem i l)) (seq 0 m)) w) (reach m k).

Definition ways_left (m k : nat) : list (list nat) := filter (leaves m k) (sublists (seq 0 m)).

Definition options_left (m k : nat) : list (list nat * nat) := flat_map (turns m) (ways_left m k).

(** That these are the orders of the smaller circle, and that nothing that is gone is left. *)
Definition orders_fit (m : nat) (l : list nat) : bool :=
  let kept := left l m in
  let smaller := map (fun s => map (fun i => nth i kept 0) s) (dihedral (length kept)) in
  let larger := map (fun t => firstn (snd t) (fst t)) (turns m l) in
  forallb (fun s => existsb (same_list s) larger) smaller && forallb
    (fun t => existsb (same_list t) smaller) larger &&
  forallb (fun t => Nat.eqb (snd t) (length kept) && among (skipn (snd t) (fst t))
    (filter (fun i => negb (mem i kept)) (seq 0 m)) &&
    among (filter (fun i => negb (mem i kept)) (seq 0 m)) (skipn (snd t) (fst t)) && among kept
      (firstn (snd t) (fst t))) (turns m l).

Definition full (p : position) : Prop := forall h, In h p -> h <> 0%N.

Definition kept_places (p : position) : list nat := filter (fun i => negb (N.eqb (heap i p) 0))
  (seq 0 (length p)).

Lemma filter_map {A B} (f : A -> B) (c : B -> bool) l : filter c (map f l) = map f
  (filter (fun a => c (f a)) l).
Proof. induction l as [|a l IH]; [reflexivity|]. cbn. destruct (c (f a)); cbn; now rewrite IH. Qed.

Lemma occupied_heaps p : occupied p = heaps (kept_places p) p.
Proof.
  unfold occupied. rewrite <- (heaps_all (length p) p eq_refl) at 1. unfold heaps.
  rewrite filter_map. reflexivity.
Qed.

Lemma sublists_filter (c : nat -> bool) l : In (filter c l) (sublists l).
Proof.
  induction l as [|i l IH]; [now left|]. cbn [filter sublists]. apply in_or_app. destruct (c i).
  - left. now apply in_map.
  - now right.
Qed.

Lemma filter_same {A} (c d : A -> bool) l : (forall a, In a l -> c a = d a) ->
  filter c l = filter d l.
Proof.
  induction l as [|a l IH]; intro H; [reflexivity|]. cbn. rewrite (H a) by now left.
  rewrite IH by (intros; apply H; now right). reflexivity.
Qed.

Lemma left_of_kept p : left (kept_places p) (length p) = kept_places p.
Proof.
  unfold left, kept_places. apply filter_same. intros i Hi.
  destruct (negb (N.eqb (heap i p) 0)) eqn:E.
  - apply mem_in, filter_In. now split.
  - apply not_true_is_false. intro M. apply mem_in, filter_In in M as [_ M]. congruence.
Qed.

Lemma full_occupied p : full (occupied p).
Proof. intros h H. apply filter_In in H as [_ H]. intros ->. discriminate H. Qed.

Lemma tokens_occupied p : tokens (occupied p) = tokens p.
Proof.
  unfold occupied, tokens. induction p as [|h p IH]; [reflexivity|]. cbn [filter fold_right].
  destruct (N.eqb_spec h 0) as [->|H]; cbn [negb fold_right]; rewrite IH; reflexivity.
Qed.

Lemma occupied_length p : length (occupied p) <= length p.
Proof. unfold occupied. induction p as [|h p IH]; [apply Nat.le_refl|]. cbn [filter length].
destruct (negb (h =? 0)%N); cbn [length]; lia. Qed.

(** * All numbers of heaps at once *)

Section Closing.
  Variable k : nat.
  Variable claim : position -> Prop.
  Variable formulas : nat -> formula.
  Variable most : nat.   (* heaps *)

  Hypothesis claim_said : forall p, length p <= most ->
    (claim p <-> fden (formulas (length p)) (at_ p)).

  Notation move := (closing_circle k).

  Definition claimed (p : position) : Prop := up_to (dihedral (length p)) claim p.

  Definition stands_here (p : position) : Prop := length p <= most /\ full p.

  Lemma move_less p q : stands_here p -> move p q -> stands_here q /\ (tokens q < tokens p)%N.
  Proof.
    intros [L _] (r & (Lr & T & _) & ->). split;
      [split; [pose proof (occupied_length r); lia|apply full_occupied]|].
      now rewrite tokens_occupied.
  Qed.

  Definition fits (m : nat) (d : data) : bool :=
    check m (reach m k) (Known true) true formulas (dihedral m) (options_left m k) d && forallb
      (orders_fit m) (ways_left m k).

  Section One.
    Variable m : nat.
    Hypothesis small : m <= most.

    Lemma said_here p : own m true (length p) -> (claim p <-> fden (formulas (length p)) (at_ p)).
    Proof. intro O. apply claim_said. destruct O as [->|[_ O]]; lia. Qed.

    Lemma full_lives p : length p = m -> full p -> lives m true p.
    Proof. intros L F _ i Hi. apply F. apply nth_In. lia. Qed.

    (** What is claimed of the smaller circle, and what is claimed of the option in its place. *)
    Lemma orders_fit_at p r :
      length p = m -> full p -> circular_nim m (Nat.min k m) p r ->
        forallb (orders_fit m) (ways_left m k) = true ->
      (target true claim (options_left m k) r <-> claimed (occupied r)).
    Proof.
      intros Lp Fp (Lr & _ & w & Hw & _ & St & _) F. set (g := kept_places r).
      assert (Lrm : length r = m) by congruence.
      assert (Lg : left g m = g) by (unfold g; rewrite <- Lrm; apply left_of_kept).
      assert (In_g : forall i, In i g <-> i < m /\ heap i r <> 0%N).
      { intro i. unfold g, kept_places. rewrite filter_In, in_seq, Lrm.
        split; intros [H1 H2]; split; try lia.
        - intro E. rewrite E in H2. discriminate.
        - apply negb_true_iff. now apply N.eqb_neq. }
      assert (Wg : In g (ways_left m k)).
      { apply filter_In. split; [unfold g, kept_places; rewrite Lrm; apply sublists_filter|].
        unfold leaves. apply existsb_exists.
        exists w. split; [exact Hw|]. unfold among. rewrite forallb_forall. intros i Hi.
        apply filter_In in Hi as [Hi G]. apply in_seq in Hi.
        apply mem_in. destruct (in_dec Nat.eq_dec i w) as [W|W]; [exact W|exfalso].
        apply negb_true_iff in G.
        assert (X : heap i r <> 0%N) by (rewrite (St i W); apply Fp, nth_In; lia).
        assert (Y : mem i g = true) by (apply mem_in, In_g; split; [lia|exact X]). congruence. }
      rewrite forallb_forall in F. pose proof (F g Wg) as Fg. unfold orders_fit in Fg.
      rewrite Lg in Fg.
      rewrite !andb_true_iff in Fg. destruct Fg as [[F1 F2] F3].
      rewrite forallb_forall in F1, F2, F3.
      assert (Of : forall s, (forall i, In i s -> i < length g) ->
        heaps (map (fun i => nth i g 0) s) r = heaps s (occupied r)).
      { intros s Bs. rewrite occupied_heaps. fold g. unfold heaps. rewrite map_map.
        apply map_ext_in. intros i Hi.
        unfold heap at 2. rewrite nth_indep with (d' := heap 0 r) by (rewrite map_length;
          now apply Bs).
        now rewrite (map_nth (fun j => heap j r)). }
      assert (Bd : forall n s i, In s (dihedral n) -> In i s -> i < n).
      { intros n s i Hs Hi. unfold dihedral in Hs. apply in_app_or in Hs as [Hs|Hs].
        - apply in_map_iff in Hs as (a & <- & Ha). apply in_map_iff in Hi as (b & <- & Hb).
          apply in_seq in Hb. apply Nat.mod_upper_bound. lia.
        - apply in_map_iff in Hs as (t & <- & Ht). apply in_rev in Hi.
          apply in_map_iff in Ht as (a & <- & Ha).
          apply in_map_iff in Hi as (b & <- & Hb). apply in_seq in Hb. apply Nat.mod_upper_bound.
          lia. }
      assert (Ln : length (occupied r) = length g) by (rewrite occupied_heaps; unfold heaps;
        now rewrite map_length).
      unfold claimed. rewrite Ln. split.
      - (* what lands there leaves just these *)
        intros (x & Hx & La & C). unfold options_left in Hx.
        apply in_flat_map in Hx as (l & Hl & Hx).
        destruct (La eq_refl) as [K G]. pose proof (F l Hl) as Fl. unfold orders_fit in Fl.
        rewrite !andb_true_iff in Fl.
        destruct Fl as [_ Fl]. rewrite forallb_forall in Fl. specialize (Fl x Hx).
        rewrite !andb_true_iff in Fl. destruct Fl as [[[_ _] Fg'] Fk].
        assert (E : left l m = g).
        { rewrite <- Lg. unfold left at 1. unfold left at 1 in Lg. unfold left. apply filter_same.
          intros i Hi.
          assert (Il : mem i l = true <-> In i (left l m)).
          { unfold left. rewrite filter_In. tauto. }
          destruct (mem i l) eqn:M.
          - symmetry. apply mem_in, In_g. split; [apply in_seq in Hi; lia|]. apply K.
            apply (among_in _ _ _ Fk). now apply Il.
          - destruct (mem i g) eqn:M'; [exfalso|reflexivity]. apply mem_in, In_g in M' as [_ M'].
            apply M'. apply G.
            apply (among_in _ _ _ Fg'). apply filter_In. split; [exact Hi|].
            apply negb_true_iff, not_true_is_false. intro X.
            apply mem_in in X. apply Il in X. discriminate. }
        assert (Tl : turns m l = turns m g) by (unfold turns; now rewrite E, Lg).
        rewrite Tl in Hx. specialize (F2 (firstn (snd x) (fst x))
          (in_map (fun t => firstn (snd t) (fst t)) _ _ Hx)).
        apply existsb_exists in F2 as (t & Ht & S). apply same_list_eq in S.
        apply in_map_iff in Ht as (s & <- & Hs).
        exists s. split; [exact Hs|]. rewrite <- (Of s (fun i => Bd _ s i Hs)), <- S. exact C.
      - intros (s & Hs & C). specialize (F1 (map (fun i => nth i g 0) s)
          (in_map (fun s => map (fun i => nth i g 0) s) _ _ Hs)).
        apply existsb_exists in F1 as (t & Ht & S). apply same_list_eq in S.
        apply in_map_iff in Ht as (x & <- & Hx).
        exists x. split; [unfold options_left; apply in_flat_map; now exists g|]. split.
        + intros _. specialize (F3 x Hx). rewrite !andb_true_iff in F3.
          destruct F3 as [[[_ Fa] _] _]. split.
          * intros i Hi. rewrite <- S in Hi. apply in_map_iff in Hi as (j & <- & Hj). apply In_g.
            apply nth_In. exact (Bd _ s j Hs Hj).
          * intros i Hi. apply (among_in _ _ _ Fa) in Hi. apply filter_In in Hi as [Hi Hg].
            apply in_seq in Hi. apply negb_true_iff in Hg.
            destruct (N.eq_dec (heap i r) 0) as [Z|Z]; [exact Z|exfalso].
            assert (Y : mem i g = true) by (apply mem_in, In_g; split; [lia|exact Z]). congruence.
        + rewrite <- S. rewrite (Of s (fun i => Bd _ s i Hs)). exact C.
    Qed.

    Lemma any_said w p q : In w (reach m k) ->
      (any_number (heaps w p) (heaps w q) <-> fden (Known true) (at_ (heaps w p ++ heaps w q))).
    Proof. intros _. apply iff_refl. Qed.

    Lemma inside_here d p q : fits m d = true -> length p = m -> full p -> claimed p -> move p q ->
      claimed q -> False.
    Proof.
      unfold fits, check. rewrite !andb_true_iff. intros [[C1 _] O] L F Cp (r & M & ->) Cq.
      rewrite L in M. unfold claimed in Cp. rewrite L in Cp.
      apply (orders_fit_at p r L F M O) in Cq.
      exact (check_I_sound m (reach m k) any_number (Known true) true claim formulas (dihedral m)
        (options_left m k) any_said said_here
        (inside d) p r C1 L (full_lives p L F) Cp M Cq).
    Qed.

    Lemma lead_here d p : fits m d = true -> length p = m -> full p -> claimed p \/
      exists q, move p q /\ claimed q.
    Proof.
      unfold fits, check. rewrite !andb_true_iff. intros [[_ C2] O] L F.
      destruct (check_II_sound m (reach m k) any_number (Known true) true claim formulas
        (dihedral m) (options_left m k) any_said said_here
        false d p C2 L (full_lives p L F)) as [H|[(r & M & H)|[H _]]].
      - left. unfold claimed. now rewrite L.
      - right. exists (occupied r). split; [exists r; split; [now rewrite L|reflexivity]|].
        now apply (orders_fit_at p r L F M O).
      - discriminate H.
    Qed.
  End One.

  (** The data of 1, 2, … heaps; without heaps play is over, and that is claimed. *)
  Fixpoint all_fit (m : nat) (l : list data) : bool :=
    match l with
    | [] => true
    | d :: l => fits m d && all_fit (S m) l
    end.

  Definition closes (misere : bool) (l : list data) : bool :=
    Nat.eqb (length l) most && all_fit 1 l && match formulas 0 with Known b => negb (eqb b misere) |
      _ => false end.

  Lemma all_fit_in l m i : all_fit m l = true -> i < length l -> exists d, fits (m + i) d = true.
  Proof.
    revert m i. induction l as [|d l IH]; intros m i; cbn [all_fit length]; [lia|].
    rewrite andb_true_iff. intros [H1 H2] I.
    destruct i as [|i]; [exists d; now rewrite Nat.add_0_r|].
    destruct (IH (S m) i H2 ltac:(lia)) as [d' H]. exists d'. now rewrite <- plus_n_Sm.
  Qed.

  Lemma fits_here misere l (p : position) : closes misere l = true -> length p <= most -> p = [] \/
    exists d, fits (length p) d = true.
  Proof.
    unfold closes. rewrite !andb_true_iff. intros [[L A] _] Lp. apply Nat.eqb_eq in L.
    destruct p as [|h p]; [now left|right].
    exact (all_fit_in l 1 (length p) A ltac:(cbn in Lp; lia)).
  Qed.

  Lemma none_claimed misere l : closes misere l = true -> (claimed [] <-> misere = false).
  Proof.
    unfold closes. rewrite !andb_true_iff. intros [_ C].
    pose proof (claim_said [] ltac:(cbn; lia)) as S. cbn [length] in S.
    assert (E : claim [] <-> misere = false) by (destruct (formulas 0) as [[]| | | | | | |], misere;
      cbn in *; try discriminate C; intuition discriminate).
    rewrite <- E. unfold claimed, up_to. cbn. split; [intros (s & [<-|[<-|[]]] & H); exact H|].
    intro H. exists []. now split; [left|].
  Qed.

  Theorem closing_P_positions l :
    closes false l = true -> forall p : position, length p <= most -> full p ->
      (P_position move p <-> up_to (dihedral (length p)) claim p).
  Proof.
    intros C p Lp F. apply (criterion move stands_here claimed move_less); [| |now split].
    - intros a q [La Fa] Sa M Sq. destruct (fits_here false l a C La) as [->|[d D]].
      + destruct (move_less [] q (conj La Fa) M) as [_ T]. cbn in T. lia.
      + exact (inside_here (length a) La d a q D eq_refl Fa Sa M Sq).
    - intros a [La Fa]. destruct (fits_here false l a C La) as [->|[d D]];
        [left|exact (lead_here (length a) La d a D eq_refl Fa)].
      now apply (none_claimed false l C).
  Qed.

  (** Who has a heap has a move. *)
  Lemma some_move h p : 0 < k -> h <> 0%N -> exists q, move (h :: p) q.
  Proof.
    intros K H. set (r := N.pred h :: p). exists (occupied r), r. split; [|reflexivity].
    split; [reflexivity|]. split.
    { unfold r, tokens. cbn [fold_right]. lia. }
    set (n := length (h :: p)). assert (n <> 0) by discriminate.
    exists (map (fun j => Nat.modulo (0 + j) n) (seq 0 (Nat.min k n))).
    split; [|split; [|split; [|exact I]]].
    - unfold arcs. apply (in_map (fun i => map (fun j => Nat.modulo (i + j) n)
        (seq 0 (Nat.min k n)))). apply in_seq.
      destruct (Nat.min k n <? n); lia.
    - intros [|i]; unfold r, heap; cbn [nth]; lia.
    - intros [|i] O; [exfalso; apply O|reflexivity]. apply in_map_iff. exists 0.
      split; [now apply Nat.mod_0_l|]. apply in_seq. lia.
  Qed.

  Theorem closing_misere_P_positions l :
    0 < k -> closes true l = true -> forall p : position, length p <= most -> full p ->
      (misere_P move p <-> up_to (dihedral (length p)) claim p).
  Proof.
    intros K C p Lp F. apply (misere_criterion move stands_here claimed move_less);
      [| | |now split].
    - intros a q [La Fa] Sa M Sq. destruct (fits_here true l a C La) as [->|[d D]].
      + destruct (move_less [] q (conj La Fa) M) as [_ T]. cbn in T. lia.
      + exact (inside_here (length a) La d a q D eq_refl Fa Sa M Sq).
    - intros a [La Fa] Sa. destruct a as [|h a];
        [apply (none_claimed true l C) in Sa; discriminate|].
      apply some_move; [exact K|]. apply Fa. now left.
    - intros a [La Fa]. destruct (fits_here true l a C La) as [->|[d D]].
      + right. right. intros q M. destruct (move_less [] q (conj La Fa) M) as [_ T]. cbn in T. lia.
      + destruct (lead_here (length a) La d a D eq_refl Fa) as [S|S]; [now left|right; now left].
  Qed.
End Closing.
