(** Kotzig's Nim on circles of every length, by automata that read words.

    A position is read as a word: the cells clockwise from the one behind the token, 1 where a cell
    is marked. An automaton labels words: who is to move loses, or wins, or nothing is said. What is
    checked: each option of a word that is lost is won, and a word that is won has an option that is
    lost. A move changes the word near its two ends only, so there are finitely many pairs of ends,
    and for each the states in which the automaton reads what lies between them. Short circles are
    searched. *)

From Coq Require Import List Arith NArith ZArith Lia Bool FMapPositive Wf_nat.
From Bouton Require Import Positions Outcomes Forms Formulas.
From Bouton Require Kotzig.
Import ListNotations.
Open Scope nat_scope.

(** * Words *)

(** Marks by the distance from the token, and the same from another cell. *)
Definition seen_from (a : Z) (h : Z -> bool) (i : Z) : bool := h (i + a)%Z.

(** So many cells, from one on. *)
Definition reading (g : Z -> bool) (i : Z) (len : nat) : list bool :=
  map (fun k => g (i + Z.of_nat k)%Z) (seq 0 len).

Lemma reading_length g i len : length (reading g i len) = len.
Proof. unfold reading. now rewrite map_length, seq_length. Qed.

Lemma reading_nth g i len k d : k < len -> nth k (reading g i len) d = g (i + Z.of_nat k)%Z.
Proof.
  intro H. unfold reading. rewrite (nth_indep _ d (g (i + Z.of_nat 0)%Z)) by now rewrite map_length,
    seq_length.
  rewrite (map_nth (fun k => g (i + Z.of_nat k)%Z)). now rewrite seq_nth.
Qed.

Lemma same_by_nth (u v : list bool) : length u = length v ->
  (forall k, k < length u -> nth k u true = nth k v true) -> u = v.
Proof. intros L H. now apply (nth_ext u v true true L). Qed.

Lemma reading_app g i k l : reading g i (k + l) = reading g i k ++ reading g (i + Z.of_nat k) l.
Proof.
  apply same_by_nth; [now rewrite app_length, !reading_length|]. rewrite reading_length. intros j J.
  rewrite reading_nth by exact J.
  destruct (Nat.lt_ge_cases j k).
  - rewrite app_nth1 by now rewrite reading_length. now rewrite reading_nth.
  - rewrite app_nth2; rewrite reading_length; [|exact H]. rewrite reading_nth by lia. f_equal. lia.
Qed.

Lemma reading_seen g a i len : reading (seen_from a g) i len = reading g (i + a) len.
Proof. unfold reading, seen_from. apply map_ext. intro k. f_equal. lia. Qed.

Lemma reading_firstn g i len k : k <= len -> firstn k (reading g i len) = reading g i k.
Proof.
  intro H. replace len with (k + (len - k)) by lia. rewrite reading_app.
  rewrite firstn_app, reading_length, Nat.sub_diag, firstn_O, app_nil_r.
  apply firstn_all2. now rewrite reading_length.
Qed.

Lemma reading_skipn g i len k : k <= len -> skipn k (reading g i len) = reading g (i + Z.of_nat k)
  (len - k).
Proof.
  intro H. replace len with (k + (len - k)) at 1 by lia. rewrite reading_app.
  rewrite skipn_app, reading_length, Nat.sub_diag, skipn_O.
  rewrite skipn_all2 by now rewrite reading_length. reflexivity.
Qed.

Lemma reading_same g h i len : (forall k, k < len -> g (i + Z.of_nat k)%Z = h (i + Z.of_nat k)%Z) ->
  reading g i len = reading h i len.
Proof. intro H. unfold reading. apply map_ext_in. intros k I. apply H. apply in_seq in I. lia. Qed.

(** * One circle *)

Section Circle.
  Variable misere : bool.
  Variable steps : list Z.
  Variable n : nat.
  Hypothesis some_cells : 0 < n.
  Notation Zn := (Z.of_nat n).
  Notation move := (kotzig (clockwise n steps) n).

  Definition loses (p : list nat) : Prop := if misere then misere_P move p else P_position move p.
  Definition wins (p : list nat) : Prop := if misere then misere_N move p else N_position move p.

  (** The cell so far from the token's. *)
  Definition cell (t : nat) (i : Z) : nat := Z.to_nat ((Z.of_nat t + i) mod Zn).

  (** What is marked on the circle, by the distance from the token. *)
  Definition circular (g : Z -> bool) : Prop := forall i, g (i mod Zn)%Z = g i.

  (** The marks of a position, and perhaps more of them: on cells to which nobody can come, as all
      cells from which a step leads there are marked and are not the token's. *)
  Definition covers (p : list nat) (g : Z -> bool) : Prop :=
    exists t r, p = t :: r /\ circular g /\ g 0%Z = true /\
    (forall i, g i = false -> ~ In (cell t i) p) /\
    (forall i, g i = true -> In (cell t i) p \/ forall s, In s steps -> g (i - s)%Z = true /\
      ((i - s) mod Zn)%Z <> 0%Z).

  (** The marks after a move by a, by the distance from the token's old cell. *)
  Definition extends (g : Z -> bool) (a : Z) (h : Z -> bool) : Prop :=
    circular h /\ (forall i, g i = true -> h i = true) /\ h a = true /\
    (forall i, h i = true -> g i = true \/ ((i - a) mod Zn)%Z = 0%Z \/
      forall s, In s steps -> h (i - s)%Z = true /\ ((i - s - a) mod Zn)%Z <> 0%Z).

  Lemma cell_after t a i : cell (cell t a) i = cell t (i + a).
  Proof.
    unfold cell. f_equal. rewrite Z2Nat.id by (apply Z.mod_pos_bound; lia).
    rewrite Z.add_mod_idemp_l by lia. f_equal. lia.
  Qed.

  Lemma cell_step t a : (t + Z.to_nat (a mod Zn)) mod n = cell t a.
  Proof.
    unfold cell. apply Nat2Z.inj. rewrite Nat2Z.inj_mod, Nat2Z.inj_add, !Z2Nat.id by
      (apply Z.mod_pos_bound; lia).
    now rewrite Z.add_mod_idemp_r by lia.
  Qed.

  Lemma cell_same t i j : cell t i = cell t j -> (i mod Zn = j mod Zn)%Z.
  Proof.
    unfold cell. intro E. apply Z2Nat.inj in E; try (apply Z.mod_pos_bound; lia).
    replace i with (Z.of_nat t + i - Z.of_nat t)%Z by lia.
    replace j with (Z.of_nat t + j - Z.of_nat t)%Z by lia.
    rewrite Zminus_mod, E, <- Zminus_mod. reflexivity.
  Qed.

  Lemma circular_same g i j : circular g -> (i mod Zn = j mod Zn)%Z -> g i = g j.
  Proof. intros C E. now rewrite <- (C i), E, C. Qed.

  Lemma difference_zero i j : ((i - j) mod Zn = 0)%Z -> (i mod Zn = j mod Zn)%Z.
  Proof.
    intro E. replace i with (j + (i - j))%Z by lia.
    rewrite Z.add_mod, E, Z.add_0_r, Z.mod_mod by lia. reflexivity.
  Qed.

  Lemma circular_seen a h : circular h -> circular (seen_from a h).
  Proof. intros C i. unfold seen_from. apply (circular_same h _ _ C).
  now rewrite Z.add_mod_idemp_l by lia. Qed.

  Lemma move_covered t r g a h : covers (t :: r) g -> g a = false -> extends g a h ->
    covers (cell t a :: t :: r) (seen_from a h).
  Proof.
    intros (t' & r' & E & C & G0 & Out & Marked) Free (Ch & More & Ha & New). injection E as <- <-.
    exists (cell t a), (t :: r). split; [reflexivity|]. split; [now apply circular_seen|].
    split; [exact Ha|]. unfold seen_from.
    split.
    - intros i H. rewrite cell_after. intros [X|X].
      + apply cell_same in X. rewrite (circular_same h _ _ Ch (eq_sym X)) in H. congruence.
      + revert X. apply Out. destruct (g (i + a)%Z) eqn:G; [|reflexivity].
        rewrite More in H; congruence.
    - intros i H. rewrite cell_after. destruct (New _ H) as [G|[Z|L]].
      + destruct (Marked _ G) as [I|L]; [left; now right|]. right. intros s S.
        destruct (L s S) as [Gs _].
        replace (i - s + a)%Z with (i + a - s)%Z by lia. split; [now apply More|]. intro Z.
        replace (i - s)%Z with (i + a - s - a)%Z in Z by lia. apply difference_zero in Z.
        rewrite (circular_same g _ _ C Z) in Gs. congruence.
      + left. left. apply difference_zero in Z. unfold cell.
        now rewrite <- (Z.add_mod_idemp_r _ (i + a)), Z, Z.add_mod_idemp_r by lia.
      + right. intros s S. destruct (L s S) as [Hs N].
        replace (i - s + a)%Z with (i + a - s)%Z by lia. split; [exact Hs|].
        now replace (i - s)%Z with (i + a - s - a)%Z by lia.
  Qed.

  Lemma moves_of p g q : covers p g -> move p q ->
    exists a, In a steps /\ g a = false /\ forall h, extends g a h -> covers q (seen_from a h).
  Proof.
    intros Cov (t & r & k & -> & I & -> & Out). unfold clockwise in I.
    apply in_map_iff in I as (a & <- & I). rewrite cell_step in *.
    exists a. split; [exact I|]. assert (Free : g a = false).
    { destruct Cov as (t' & r' & E & C & G0 & _ & Marked). injection E as <- <-.
      destruct (g a) eqn:G; [|reflexivity].
      destruct (Marked a G) as [X|L]; [contradiction|]. destruct (L a I) as [_ N].
      now rewrite Z.sub_diag, Z.mod_0_l in N by lia. }
    split; [exact Free|]. intros h E. now apply (move_covered t r g).
  Qed.

  Lemma move_there p g a : covers p g -> In a steps -> g a = false ->
    exists q, move p q /\ forall h, extends g a h -> covers q (seen_from a h).
  Proof.
    intros Cov I Free. destruct Cov as (t & r & -> & Cov). exists (cell t a :: t :: r). split.
    - exists t, r, (Z.to_nat (a mod Zn)). rewrite cell_step. repeat split; auto.
      + unfold clockwise. now apply (in_map (fun a => Z.to_nat (a mod Zn))).
      + now apply (proj1 (proj2 (proj2 Cov))).
    - intros h E. apply (move_covered t r g); auto. exists t, r. auto.
  Qed.

  Definition some_move (g : Z -> bool) : Prop := exists a, In a steps /\ g a = false.

  Lemma loses_by p g : covers p g -> (misere = true -> some_move g) ->
    (forall a, In a steps -> g a = false -> exists h, extends g a h /\ forall q, move p q ->
      covers q (seen_from a h) -> wins q) ->
    loses p.
  Proof.
    unfold loses, wins. intros Cov Some All.
    assert (Next : forall q, move p q -> wins q).
    { intros q M. destruct (moves_of p g q Cov M) as (a & I & Free & To).
      destruct (All a I Free) as (h & E & W). apply W; auto. }
    unfold wins in Next. destruct misere; [|now constructor].
    constructor; [|exact Next]. destruct (Some eq_refl) as (a & I & Free).
    destruct (move_there p g a Cov I Free) as (q & M & _). now exists q.
  Qed.

  Lemma wins_by p g a h : covers p g -> In a steps -> g a = false -> extends g a h ->
    (forall q, move p q -> covers q (seen_from a h) -> loses q) -> wins p.
  Proof.
    unfold loses, wins. intros Cov I Free E L.
    destruct (move_there p g a Cov I Free) as (q & M & To). specialize (L q M (To h E)).
    destruct misere; [now apply misere_some_P with q|now apply some_option_P with q].
  Qed.

  Lemma wins_stuck p g : covers p g -> misere = true -> (forall a, In a steps -> g a = true) ->
    wins p.
  Proof.
    unfold wins. intros Cov -> All. apply misere_over. intros q M.
    destruct (moves_of p g q Cov M) as (a & I & Free & _). rewrite All in Free; congruence.
  Qed.

  (** Labels that are consistent are right. *)
  Theorem labels_right (A B : (Z -> bool) -> Prop) :
    (forall g, circular g -> g 0%Z = true -> A g -> (misere = true -> some_move g) /\
      forall a, In a steps -> g a = false -> exists h, extends g a h /\ B (seen_from a h)) ->
    (forall g, circular g -> g 0%Z = true -> B g ->
      (exists a h, In a steps /\ g a = false /\ extends g a h /\ A (seen_from a h)) \/
      misere = true /\ forall a, In a steps -> g a = true) ->
    forall p g, covers p g -> (A g -> loses p) /\ (B g -> wins p).
  Proof.
    intros OfA OfB p. induction p as [p IH] using
      (well_founded_induction (Kotzig.kotzig_ends (clockwise n steps) n some_cells)).
    intros g Cov. assert (C : circular g /\ g 0%Z = true) by
      (destruct Cov as (t & r & _ & C & G & _); now split).
    destruct C as [C G0]. split.
    - intro X. destruct (OfA g C G0 X) as [Some All]. apply (loses_by p g Cov Some).
      intros a I Free. destruct (All a I Free) as (h & E & Y).
      exists h. split; [exact E|]. intros q M Cq. now apply (IH q M _ Cq).
    - intro X. destruct (OfB g C G0 X) as [(a & h & I & Free & E & Y)|[M All]].
      + apply (wins_by p g a h Cov I Free E). intros q M Cq. now apply (IH q M _ Cq).
      + now apply (wins_stuck p g).
  Qed.

  (** Nothing is marked but the token's cell. *)
  Definition start (i : Z) : bool := (i mod Zn =? 0)%Z.

  Lemma start_covers : covers [0] start.
  Proof.
    exists 0, []. split; [reflexivity|]. unfold start. split; [|split; [|split]].
    - intro i. now rewrite Z.mod_mod by lia.
    - now rewrite Z.mod_0_l by lia.
    - intros i H [X|[]]. apply Z.eqb_neq in H. apply H. unfold cell in X. rewrite Z.add_0_l in X.
      pose proof (Z.mod_pos_bound i Zn ltac:(lia)). lia.
    - intros i H. apply Z.eqb_eq in H. left. left. unfold cell. now rewrite Z.add_0_l, H.
  Qed.

  Lemma misere_not_both p : misere_P move p -> misere_N move p -> False.
  Proof.
    induction p as [p IH] using (well_founded_induction
      (Kotzig.kotzig_ends (clockwise n steps) n some_cells)).
    intros [some all] [none|q M P]; [destruct some as [q M];
      exact (none q M)|exact (IH q M P (all q M))].
  Qed.

  Lemma not_both_here p : loses p -> wins p -> False.
  Proof.
    unfold loses, wins. destruct misere; [apply misere_not_both|].
    exact (not_both move (Kotzig.kotzig_ends _ n some_cells) p).
  Qed.

  (** ** Words *)

  Lemma reading_turn g i len : circular g -> reading g (i + Zn) len = reading g i len.
  Proof.
    intro C. unfold reading. apply map_ext. intro k. apply (circular_same g _ _ C).
    replace (i + Zn + Z.of_nat k)%Z with (i + Z.of_nat k + 1 * Zn)%Z by lia.
    now rewrite Z.mod_add by lia.
  Qed.

  (** The cells from i on replaced by others. *)
  Definition replaced (g : Z -> bool) (i : Z) (u : list bool) (j : Z) : bool :=
    nth (Z.to_nat ((j - i) mod Zn)) u (g j).

  Lemma replaced_circular g i u : circular g -> circular (replaced g i u).
  Proof. intros C j. unfold replaced. rewrite Zminus_mod_idemp_l. rewrite C. reflexivity. Qed.

  Lemma replaced_within g i u k : length u <= n -> k < length u ->
    replaced g i u (i + Z.of_nat k) = nth k u true.
  Proof.
    intros L K. unfold replaced. replace (i + Z.of_nat k - i)%Z with (Z.of_nat k) by lia.
    rewrite Z.mod_small, Nat2Z.id by lia.
    now apply nth_indep.
  Qed.

  Lemma replaced_reading g i u : length u <= n -> reading (replaced g i u) i (length u) = u.
  Proof.
    intro L. apply same_by_nth; [apply reading_length|]. rewrite reading_length. intros k K.
    rewrite reading_nth by exact K.
    now apply replaced_within.
  Qed.

  Lemma replaced_beyond g i u k : circular g -> length u <= k < n ->
    replaced g i u (i + Z.of_nat k) = g (i + Z.of_nat k)%Z.
  Proof.
    intros C K. unfold replaced. apply nth_overflow.
    replace (i + Z.of_nat k - i)%Z with (Z.of_nat k) by lia.
    rewrite Z.mod_small, Nat2Z.id by lia. lia.
  Qed.

  (** A distance as a cell of those from i on. *)
  Lemma as_cell i j : exists k, k < n /\ (j mod Zn = (i + Z.of_nat k) mod Zn)%Z.
  Proof.
    exists (Z.to_nat ((j - i) mod Zn)). pose proof (Z.mod_pos_bound (j - i) Zn ltac:(lia)) as B.
    split; [lia|].
    rewrite Z2Nat.id by lia. rewrite Z.add_mod_idemp_r by lia. f_equal. lia.
  Qed.

  (** Cells i, i + 1, ... read u before a move and v after it, to cell a, the k-th of them; cells
      before are counted by [place]. *)
  Lemma replaced_extends g i u v a k (place : nat -> Z -> nat) :
    circular g -> reading g i (length u) = u -> length v = length u -> length u <= n ->
    k < length u -> (a mod Zn = (i + Z.of_nat k) mod Zn)%Z ->
    (forall j, j < length u -> nth j u true = true -> nth j v true = true) -> nth k v true = true ->
    (forall j, j < length u -> nth j v true = true -> nth j u true = true \/ j = k \/
      forall s, In s steps -> let m := place j s in
        m < length u /\ (Z.of_nat m mod Zn = (Z.of_nat j - s) mod Zn)%Z /\ nth m v true = true /\
          m <> k) ->
    extends g a (replaced g i v).
  Proof.
    intros C R L Short K Ea More Hk New. pose proof (replaced_circular g i v C) as Cr.
    set (h := replaced g i v) in *.
    assert (Gu : forall j, j < length u -> g (i + Z.of_nat j)%Z = nth j u true).
    { intros j J. rewrite <- R at 1. symmetry. now apply reading_nth. }
    assert (Hv : forall j, j < length u -> h (i + Z.of_nat j)%Z = nth j v true).
    { intros j J. apply replaced_within; lia. }
    assert (Hg : forall j, length u <= j < n -> h (i + Z.of_nat j)%Z = g (i + Z.of_nat j)%Z).
    { intros j J. apply replaced_beyond; [exact C|lia]. }
    split; [exact Cr|]. split; [|split].
    - intros j G. destruct (as_cell i j) as (m & M & E). rewrite (circular_same h _ _ Cr E).
      rewrite (circular_same g _ _ C E) in G.
      destruct (Nat.lt_ge_cases m (length u)); [|rewrite Hg by lia; exact G].
      rewrite Hv by assumption. rewrite Gu in G by assumption. auto.
    - rewrite (circular_same h _ _ Cr Ea), Hv by exact K. exact Hk.
    - intros j H. destruct (as_cell i j) as (m & M & E). rewrite (circular_same h _ _ Cr E) in H.
      rewrite (circular_same g _ _ C E).
      destruct (Nat.lt_ge_cases m (length u)) as [Lm|Lm]; [|left; rewrite Hg in H by lia; exact H].
      rewrite Hv in H by exact Lm. rewrite Gu by exact Lm.
      destruct (New m Lm H) as [G|[->|Pred]]; [now left| |].
      + right. left. rewrite Zminus_mod, E, Ea, <- Zminus_mod, Z.sub_diag. now apply Z.mod_0_l; lia.
      + right. right. intros s S. destruct (Pred s S) as (Lp & Ep & Hp & Np).
        set (q := place m s) in *.
        assert (Eq : ((j - s) mod Zn = (i + Z.of_nat q) mod Zn)%Z).
        { rewrite Zminus_mod, E, <- Zminus_mod. rewrite <- (Z.add_mod_idemp_r i (Z.of_nat q)) by
            lia. rewrite Ep, Z.add_mod_idemp_r by lia.
          f_equal. lia. }
        split; [rewrite (circular_same h _ _ Cr Eq), Hv by exact Lp; exact Hp|]. intro Z.
        apply difference_zero in Z. apply Np.
        rewrite Eq, Ea in Z. assert (D : (Z.of_nat q mod Zn = Z.of_nat k mod Zn)%Z).
        { replace (Z.of_nat q) with (i + Z.of_nat q - i)%Z by lia.
          replace (Z.of_nat k) with (i + Z.of_nat k - i)%Z by lia.
          rewrite Zminus_mod, Z, <- Zminus_mod. reflexivity. }
        rewrite !Z.mod_small in D by lia. lia.
  Qed.

  (** ** Marking *)

  (** A list of cells may be a part of the circle, or the whole; [turn] takes the number of a cell
      to that by which it stands there. *)
  Variable turn : Z -> Z.

  Fixpoint with_mark (k : nat) (u : list bool) : list bool :=
    match u, k with
    | [], _ => []
    | _ :: u, O => true :: u
    | x :: u, S k => x :: with_mark k u
    end.

  (** All cells that lead to the j-th are marked, and none is the k-th, the token's. *)
  Definition cut_off (k j : nat) (u : list bool) : bool :=
    forallb (fun s => let z := turn (Z.of_nat j - s) in
      (0 <=? z)%Z && (z <? Z.of_nat (length u))%Z && nth (Z.to_nat z) u false && negb
        (z =? Z.of_nat k)%Z) steps.

  (** The marks after a move to the k-th cell, with those of [cells] to which nobody can come. *)
  Definition made (cells : list nat) (k : nat) (u : list bool) : list bool :=
    fold_left (fun v j => if nth j v true then v else if cut_off k j v then with_mark j v else v)
      cells (with_mark k u).

  (** What [made] makes is looked at again: nothing has to be known of it. *)
  Definition fine (k : nat) (u v : list bool) : bool :=
    Nat.eqb (length v) (length u) && Nat.ltb k (length u) && nth k v true &&
    forallb (fun j => if nth j u true then nth j v true else negb (nth j v true) || Nat.eqb j k ||
      cut_off k j v) (seq 0 (length u)).

  Hypothesis turns : forall z, (turn z mod Zn = z mod Zn)%Z.

  Lemma fine_extends g i u v a k :
    circular g -> reading g i (length u) = u -> length u <= n ->
      (a mod Zn = (i + Z.of_nat k) mod Zn)%Z -> fine k u v = true ->
    extends g a (replaced g i v) /\ length v = length u /\ k < length u.
  Proof.
    intros C R Short Ea F. unfold fine in F.
    rewrite !andb_true_iff, Nat.eqb_eq, Nat.ltb_lt, forallb_forall in F.
    destruct F as [[[L K] Hk] All]. split; [|now split].
    apply (replaced_extends g i u v a k (fun j s => Z.to_nat (turn (Z.of_nat j - s)))); auto.
    - intros j J U. specialize (All j). rewrite U in All. apply All. apply in_seq. lia.
    - intros j J V. specialize (All j ltac:(apply in_seq; lia)).
      destruct (nth j u true); [now left|right]. rewrite V in All. cbn [negb orb] in All.
      apply orb_true_iff in All as [E|Cut]; [left; now apply Nat.eqb_eq|right]. intros s S.
      unfold cut_off in Cut. rewrite forallb_forall in Cut.
      specialize (Cut s S). cbv zeta in Cut |- *. set (z := turn (Z.of_nat j - s)) in *.
      rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt, negb_true_iff, Z.eqb_neq in Cut.
      destruct Cut as [[[Z0 Z1] Hz] Nz]. rewrite L in Z1.
      assert (Lz : Z.to_nat z < length u) by lia. split; [exact Lz|]. split; [|split].
      + rewrite Z2Nat.id by lia. apply turns.
      + now rewrite (nth_indep _ true false) by lia.
      + lia.
  Qed.

  (** ** Searching *)

  Definition memory := PositiveMap.t (list bool * bool).
  Definition word_key (u : list bool) : positive :=
    fold_right (fun (x : bool) p => if x then xI p else xO p) xH u.
  Fixpoint same_word (u v : list bool) : bool :=
    match u, v with
    | [], [] => true
    | x :: u, y :: v => Bool.eqb x y && same_word u v
    | _, _ => false
    end.

  (** The cells of the whole circle after a step, from the token on; [change] makes the marks. *)
  Definition stepped (change : nat -> list bool -> list bool) (u : list bool) (a : Z) : option
    (list bool) :=
    let k := Z.to_nat (a mod Zn) in
    let v := change k u in
    if fine k u v then Some (skipn k v ++ firstn k v) else None.

  Definition free_steps (u : list bool) : list Z :=
    filter (fun a => negb (nth (Z.to_nat (a mod Zn)) u true)) steps.

  (** Whether one of these words is lost, where [solve] says who wins. *)
  Fixpoint some_lost (solve : memory -> list bool -> option (bool * memory)) (memo : memory)
    (l : list (option (list bool))) :
    option (bool * memory) :=
    match l with
    | [] => Some (false, memo)
    | None :: _ => None
    | Some v :: l =>
      match solve memo v with
      | Some (true, memo) => some_lost solve memo l
      | Some (false, memo) => Some (true, memo)
      | None => None
      end
    end.

  (** Whether who is to move wins; steps that are advised are tried first. *)
  Fixpoint search (change : nat -> list bool -> list bool) (advised : list bool -> list Z)
    (fuel : nat) (memo : memory) (u : list bool) : option (bool * memory) :=
    match fuel with
    | O => None
    | S fuel =>
      match PositiveMap.find (word_key u) memo with
      | Some (v, w) => if same_word u v then Some (w, memo) else None
      | None =>
        match free_steps u with
        | [] => Some (misere, memo)
        | free =>
          let first := filter (fun a => existsb (Z.eqb a) (advised u)) free in
          match some_lost (search change advised fuel) memo (map (stepped change u) (first ++ free))
            with
          | Some (w, memo) => Some (w, PositiveMap.add (word_key u) (u, w) memo)
          | None => None
          end
        end
      end
    end.

  Definition right (u : list bool) (w : bool) : Prop :=
    forall p g, covers p g -> reading g 0 n = u -> if w then wins p else loses p.
  Definition all_right (memo : memory) : Prop := forall k u w, PositiveMap.find k memo = Some
    (u, w) -> right u w.

  Lemma same_word_eq u : forall v, same_word u v = true -> u = v.
  Proof.
    induction u as [|x u IH]; intros [|y v]; cbn; try discriminate; [reflexivity|].
    rewrite andb_true_iff. intros [E H].
    now rewrite (eqb_prop _ _ E), (IH v H).
  Qed.

  Lemma nth_of_circle g u a : circular g -> reading g 0 n = u ->
    nth (Z.to_nat (a mod Zn)) u true = g a.
  Proof.
    intros C <-. pose proof (Z.mod_pos_bound a Zn ltac:(lia)). rewrite reading_nth by lia.
    apply (circular_same g _ _ C).
    rewrite Z2Nat.id, Z.add_0_l by lia. apply Z.mod_mod. lia.
  Qed.

  Lemma free_here g u a : circular g -> reading g 0 n = u ->
    (In a (free_steps u) <-> In a steps /\ g a = false).
  Proof.
    intros C R. unfold free_steps. rewrite filter_In, negb_true_iff.
    now rewrite (nth_of_circle g u a C R).
  Qed.

  Lemma stepped_extends change g u a v : circular g -> reading g 0 n = u ->
    stepped change u a = Some v ->
    exists h, extends g a h /\ reading (seen_from a h) 0 n = v.
  Proof.
    intros C R. unfold stepped. set (k := Z.to_nat (a mod Zn)).
    destruct (fine k u (change k u)) eqn:F; [|discriminate].
    set (w := change k u) in *. intro E. injection E as <-.
    pose proof (Z.mod_pos_bound a Zn ltac:(lia)) as B.
    assert (Lu : length u = n) by (rewrite <- R; apply reading_length).
    assert (Ek : Z.of_nat k = (a mod Zn)%Z) by (unfold k; now rewrite Z2Nat.id by lia).
    assert (R' : reading g 0 (length u) = u) by now rewrite Lu.
    assert (E : (a mod Zn = (0 + Z.of_nat k) mod Zn)%Z) by
      (now rewrite Z.add_0_l, Ek, Z.mod_mod by lia).
    destruct (fine_extends g 0 u w a k C R' ltac:(lia) E F) as (X & Lw & K).
    exists (replaced g 0 w). split; [exact X|]. set (h := replaced g 0 w) in *.
    pose proof (proj1 X) as Ch.
    assert (Rh : reading h 0 n = w).
    { replace n with (length w) by lia. apply replaced_reading. lia. }
    rewrite reading_seen, Z.add_0_l. transitivity (reading h (Z.of_nat k) n).
    { unfold reading. apply map_ext. intro j. apply (circular_same h _ _ Ch). rewrite Ek.
      now rewrite Z.add_mod_idemp_l by lia. }
    assert (Kn : k < n) by lia.
    replace n with (n - k + k) at 1 by lia. rewrite reading_app. rewrite <- Rh. f_equal.
    - rewrite reading_skipn by lia. reflexivity.
    - rewrite reading_firstn by lia. rewrite <- (reading_turn h 0) by exact Ch. f_equal. lia.
  Qed.

  Lemma some_lost_right solve memo l w memo' :
    (forall memo v w memo', all_right memo -> solve memo v = Some (w, memo') -> right v w /\
      all_right memo') ->
    all_right memo -> some_lost solve memo l = Some (w, memo') ->
    all_right memo' /\ if w then exists v, In (Some v) l /\ right v false else forall x, In x l ->
      exists v, x = Some v /\ right v true.
  Proof.
    intro Solve. revert memo. induction l as [|[v|] l IH]; intros memo Fine; cbn [some_lost];
      intro E.
    - injection E as <- <-. split; [exact Fine|intros x []].
    - destruct (solve memo v) as [[b m]|] eqn:Sv; [|discriminate].
      destruct (Solve _ _ _ _ Fine Sv) as [Rv Fm]. destruct b.
      + destruct (IH m Fm E) as [Fm' W]. split; [exact Fm'|]. destruct w.
        * destruct W as (x & I & Rx). exists x. split; [now right|exact Rx].
        * intros x [<-|I]; [now exists v|now apply W].
      + injection E as <- <-. split; [exact Fm|]. exists v. split; [now left|exact Rv].
    - discriminate.
  Qed.

  Theorem search_right change advised fuel : forall memo u w memo',
    all_right memo -> search change advised fuel memo u = Some (w, memo') -> right u w /\
      all_right memo'.
  Proof.
    induction fuel as [|fuel IH]; intros memo u w memo' Fine; [discriminate|]. cbn [search].
    destruct (PositiveMap.find (word_key u) memo) as [[v x]|] eqn:Found.
    { destruct (same_word u v) eqn:Same; [|discriminate]. apply same_word_eq in Same as <-. intro E.
      injection E as <- <-.
      split; [exact (Fine _ _ _ Found)|exact Fine]. }
    destruct (free_steps u) as [|a free] eqn:Free.
    { intro E. injection E as <- <-. split; [|exact Fine]. intros p g Cov R.
      assert (C : circular g) by (destruct Cov as (t & r & _ & C & _); exact C).
      assert (All : forall a, In a steps -> g a = true).
      { intros a S. destruct (g a) eqn:G; [reflexivity|].
        assert (X : In a (free_steps u)) by (now apply (free_here g u a C R)).
        rewrite Free in X. destruct X. }
      destruct misere eqn:M.
      - apply (wins_stuck p g); auto.
      - apply (loses_by p g Cov); [congruence|]. intros a S G. rewrite All in G; congruence. }
    rewrite <- Free. set (tried := filter (fun a => existsb (Z.eqb a) (advised u)) (free_steps u) ++
      free_steps u).
    assert (Tried : forall c, In c tried <-> In c (free_steps u)).
    { intro c. unfold tried. rewrite in_app_iff, filter_In. tauto. }
    destruct (some_lost (search change advised fuel) memo (map (stepped change u) tried)) as
      [[x m]|] eqn:E; [|discriminate]. intro X. injection X as <- <-.
      destruct (some_lost_right _ _ _ _ _ IH Fine E) as [Fm W].
    assert (Ru : right u x).
    { intros p g Cov R. assert (C : circular g) by (destruct Cov as (t & r & _ & C & _); exact C).
      destruct x.
      - destruct W as (v & I & Rv). apply in_map_iff in I as (c & Sv & I).
        apply Tried, (free_here g u c C R) in I as [I G].
        destruct (stepped_extends change g u c v C R Sv) as (h & X & Rh).
        apply (wins_by p g c h Cov I G X). intros q _ Cq. exact (Rv q _ Cq Rh).
      - apply (loses_by p g Cov).
        + intros _. exists a. apply (free_here g u a C R). rewrite Free. now left.
        + intros c I G. destruct (W (stepped change u c)) as (v & Sv & Rv).
          { apply in_map, Tried. now apply (free_here g u c C R). }
          destruct (stepped_extends change g u c v C R Sv) as (h & X & Rh). exists h.
          split; [exact X|].
          intros q _ Cq. exact (Rv q _ Cq Rh). }
    split; [exact Ru|]. intros k v y F. destruct (Pos.eq_dec k (word_key u)) as [->|D].
    - rewrite PositiveMap.gss in F. injection F as <- <-. exact Ru.
    - rewrite PositiveMap.gso in F by exact D. exact (Fm k v y F).
  Qed.
End Circle.

(** * Automata *)

Inductive mark := Silent | Lost | Won.

(** By states: what follows on a cell that is free, on one that is marked, and the label. What is
    not there stays. *)
Definition automaton := PositiveMap.t (positive * positive * mark).

Definition next (d : automaton) (x : bool) (s : positive) : positive :=
  match PositiveMap.find s d with Some (zero, one, _) => if x then one else zero | None => s end.
Definition label (d : automaton) (s : positive) : mark :=
  match PositiveMap.find s d with Some (_, _, m) => m | None => Silent end.
Definition run (d : automaton) (s : positive) (u : list bool) : positive :=
  fold_left (fun s x => next d x s) u s.

Definition is_lost (m : mark) : bool := match m with Lost => true | _ => false end.
Definition is_won (m : mark) : bool := match m with Won => true | _ => false end.

(** The label of a word, and those of its options. *)
Definition judged (misere : bool) (l : list mark) : bool :=
  match l with
  | Lost :: l => forallb is_won l && negb (misere && match l with [] => true | _ => false end)
  | Won :: l => existsb is_lost l || misere && match l with [] => true | _ => false end
  | _ => true
  end.

Section Class.
  Variable misere : bool.
  Variable steps : list Z.
  (** The cells that a move can change: so many before the token's, and in all. The cells to look
      at. *)
  Variable before len : nat.
  Variable cells : list nat.
  Variable d : automaton.
  (** Circles of [from] cells, from + period, from + 2 period, ... *)
  Variable from period : N.

  Definition place (a : Z) : nat := Z.to_nat (Z.of_nat before + a).
  Definition here (z : Z) : Z := z.
  Definition free_in (u : list bool) : list Z := filter (fun a => negb (nth (place a) u true))
    steps.

  (** The cells around the token, and as they are after each move; with the token's cell. *)
  Definition views (u : list bool) : list (nat * list bool) :=
    (before, u) :: map (fun a => (place a, made steps here cells (place a) u)) (free_in u).

  Definition began (v : nat * list bool) : positive := run d 1 (skipn (S (fst v)) (snd v)).
  Definition ended (s : positive) (v : nat * list bool) : mark :=
    label d (run d s (firstn (fst v) (snd v))).

  (** The cells of a circle so far, and the states in which the automaton is. *)
  Definition node := (N * list positive)%type.

  Definition later (k : N) : N := let k := N.succ k in if N.eqb k (from + period) then from else k.
  Definition nexts (x : bool) (y : node) : node := (later (fst y), map (next d x) (snd y)).
  Definition silent (y : node) : bool :=
    match snd y with [] => true | s :: _ => match PositiveMap.find s d with None => true | Some _ =>
      false end end.

  Fixpoint spread (p tail : positive) : positive :=
    match p with xH => xO tail | xO p => xI (xO (spread p tail)) | xI p =>
      xI (xI (spread p tail)) end.
  Definition node_key (y : node) : positive := fold_right spread (N.succ_pos (fst y)) (snd y).
  Fixpoint same_states (l m : list positive) : bool :=
    match l, m with
    | [], [] => true
    | s :: l, t :: m => Pos.eqb s t && same_states l m
    | _, _ => false
    end.
  Definition same_node (y z : node) : bool := N.eqb (fst y) (fst z) && same_states (snd y) (snd z).

  Definition nodes := PositiveMap.t node.

  (** Nodes still to be looked at, and those known, after at most 2^rounds more. *)
  Fixpoint explored (rounds : nat) (w : list node * nodes) : list node * nodes :=
    match w with
    | ([], _) => w
    | (y :: work, known) =>
      match rounds with
      | O =>
        if silent y then (work, known) else
        let k := node_key y in
        match PositiveMap.find k known with
        | Some _ => (work, known)
        | None => (nexts false y :: nexts true y :: work, PositiveMap.add k y known)
        end
      | S rounds => explored rounds (explored rounds w)
      end
    end.

  Definition known_node (v : nodes) (y : node) : bool :=
    silent y || match PositiveMap.find (node_key y) v with Some z => same_node y z | None =>
      false end.
  Definition closed (y : node) (v : nodes) : bool :=
    known_node v y &&
    forallb (fun kz => known_node v (nexts false (snd kz)) && known_node v (nexts true (snd kz)))
      (PositiveMap.elements v).

  (** The states in which the automaton is where the circle has as many cells as it should. *)
  Definition arrived (v : nodes) : list (list positive) :=
    map (fun kz => snd (snd kz)) (filter (fun kz => N.eqb (fst (snd kz)) from)
      (PositiveMap.elements v)).

  Definition first_node (vs : list (nat * list bool)) : node := (N.of_nat len, map began vs).

  Fixpoint words (k : nat) : list (list bool) :=
    match k with O => [[]] | S k => flat_map (fun u => [false :: u; true :: u]) (words k) end.

  Definition labels (l : list positive) (vs : list (nat * list bool)) : list mark :=
    map (fun x => ended (fst x) (snd x)) (combine l vs).

  (** All words that begin so. *)
  Definition fine_beginning (p : list bool) : bool :=
    let all := map (fun s => views (s ++ true :: p)) (words before) in
    let starts := fold_left (fun m vs => let y := first_node vs in let k := node_key y in
      match PositiveMap.find k m with Some _ => m | None =>
        PositiveMap.add k (y, snd (explored 24 ([y], PositiveMap.empty _))) m end)
      all (PositiveMap.empty (node * nodes)) in
    let ready := PositiveMap.map (fun yv => (fst yv, (closed (fst yv) (snd yv), arrived (snd yv))))
      starts in
    forallb (fun vs => let y := first_node vs in
      match PositiveMap.find (node_key y) ready with
      | Some (z, (good, l)) => good && same_node y z &&
        (silent y || forallb (fun t => judged misere (labels t vs)) l)
      | None => false
      end) all.

  Definition fine_move (u : list bool) (a : Z) : bool :=
    fine steps here (place a) u (made steps here cells (place a) u).

  Definition fine_class : bool :=
    Nat.ltb before len && N.leb (N.of_nat len) from && N.ltb 0 period &&
    forallb (fun a => (0 <=? Z.of_nat before + a)%Z && (Z.of_nat before + a <? Z.of_nat len)%Z)
      steps &&
    forallb (fun p => forallb (fun s => let u := s ++ true :: p in
      forallb (fine_move u) (free_in u)) (words before) && fine_beginning p)
      (words (len - 1 - before)).

  (** ** The labels of the first positions *)

  Definition zeros (s : positive) (k : N) : positive := N.iter k (next d false) s.
  Fixpoint orbit (fuel : nat) (s : positive) (v : PositiveMap.t unit) : PositiveMap.t unit :=
    match fuel with
    | O => v
    | S fuel => match PositiveMap.find s v with Some _ => v | None =>
      orbit fuel (zeros s period) (PositiveMap.add s tt v) end
    end.
  Definition fine_starts (is_lost_ : bool) : bool :=
    let s := zeros 1 (N.pred from) in
    let v := orbit (N.to_nat 4000) s (PositiveMap.empty _) in
    let known s := match PositiveMap.find s v with Some _ => true | None => false end in
    known s &&
    forallb (fun x => (if is_lost_ then is_lost (label d (fst x)) else is_won (label d (fst x))) &&
      known (zeros (fst x) period))
      (PositiveMap.elements v).

  (** ** Soundness *)

  Definition phase (m : N) : N := if N.ltb m from then m else (from + (m - from) mod period)%N.

  Lemma later_phase m : (0 < period)%N -> later (phase m) = phase (N.succ m).
  Proof.
    intro P. unfold later, phase. destruct (N.ltb_spec m from) as [L|L].
    - destruct (N.eqb_spec (N.succ m) (from + period)) as [E|E].
      + destruct (N.ltb_spec (N.succ m) from); [lia|]. rewrite E.
        replace (from + period - from)%N with (1 * period)%N by lia.
        rewrite N.mod_mul by lia. lia.
      + destruct (N.ltb_spec (N.succ m) from) as [|G]; [reflexivity|].
        replace (N.succ m) with from by lia.
        now rewrite N.sub_diag, N.mod_0_l, N.add_0_r by lia.
    - destruct (N.ltb_spec (N.succ m) from) as [|G]; [lia|].
      replace (N.succ m - from)%N with (m - from + 1)%N by lia.
      set (x := (m - from)%N). pose proof (N.mod_lt x period ltac:(lia)) as B.
      pose proof (N.div_mod x period ltac:(lia)) as D.
      set (r := (x mod period)%N) in *. set (q := (x / period)%N) in *.
      destruct (N.eqb_spec (N.succ (from + r)) (from + period)) as [E|E].
      + replace (x + 1)%N with ((q + 1) * period)%N by nia. rewrite N.mod_mul by lia. lia.
      + replace (x + 1)%N with (r + 1 + q * period)%N by nia. rewrite N.mod_add by lia.
        rewrite N.mod_small by lia. lia.
  Qed.

  Lemma same_states_eq l : forall m, same_states l m = true -> l = m.
  Proof.
    induction l as [|s l IH]; intros [|t m]; cbn; try discriminate; [reflexivity|].
    rewrite andb_true_iff, Pos.eqb_eq. intros [-> H].
    now rewrite (IH m H).
  Qed.

  Lemma same_node_eq y z : same_node y z = true -> y = z.
  Proof.
    destruct y, z. unfold same_node. cbn. rewrite andb_true_iff, N.eqb_eq. intros [-> H].
    now rewrite (same_states_eq _ _ H).
  Qed.

  Lemma silent_next x y : silent y = true -> silent (nexts x y) = true.
  Proof.
    destruct y as [k [|s l]]; [reflexivity|]. unfold silent, nexts. cbn [snd map]. unfold next at 1.
    destruct (PositiveMap.find s d) eqn:E; [discriminate|]. now rewrite E.
  Qed.

  Lemma run_snoc s u x : run d s (u ++ [x]) = next d x (run d s u).
  Proof. unfold run. now rewrite fold_left_app. Qed.

  Lemma run_app s u v : run d s (u ++ v) = run d (run d s u) v.
  Proof. unfold run. apply fold_left_app. Qed.

  (** What is between the ends leads to a known node. *)
  Lemma closed_known l v : (0 < period)%N -> closed (N.of_nat len, l) v = true ->
    N.of_nat len = phase (N.of_nat len) -> forall r,
    known_node v (phase (N.of_nat (len + length r)), map (fun s => run d s r) l) = true.
  Proof.
    intros P. unfold closed. rewrite andb_true_iff, forallb_forall. intros [First All] Ph r.
    induction r as [|x r IH] using rev_ind.
    - rewrite Nat.add_0_r, <- Ph. unfold run. cbn [fold_left]. now rewrite map_id.
    - rewrite app_length. cbn [length]. replace (N.of_nat (len + (length r + 1))) with
        (N.succ (N.of_nat (len + length r))) by lia.
      rewrite <- later_phase by exact P. set (y :=
        (phase (N.of_nat (len + length r)), map (fun s => run d s r) l)) in *.
      assert (E : (later (phase (N.of_nat (len + length r))), map (fun s => run d s (r ++ [x])) l) =
        nexts x y).
      { unfold nexts, y. cbn [fst snd]. rewrite map_map. f_equal. apply map_ext. intro s.
        apply run_snoc. }
      rewrite E. unfold known_node in IH. apply orb_true_iff in IH as [S|S].
      + unfold known_node. now rewrite silent_next.
      + destruct (PositiveMap.find (node_key y) v) as [z|] eqn:F; [|discriminate].
        apply same_node_eq in S as <-.
        apply PositiveMap.elements_correct in F. specialize (All _ F). cbn [snd] in All.
        apply andb_true_iff in All as [A0 A1].
        now destruct x.
  Qed.

  Lemma in_words u : In u (words (length u)).
  Proof.
    induction u as [|x u IH]; [now left|]. cbn [length words]. apply in_flat_map. exists u.
    split; [exact IH|].
    destruct x; [right; left|left]; reflexivity.
  Qed.

  Lemma labels_map (f : nat * list bool -> positive) vs : labels (map f vs) vs = map
    (fun v => ended (f v) v) vs.
  Proof. unfold labels. induction vs as [|v vs IH]; [reflexivity|]. cbn [map combine fst snd].
  now rewrite IH. Qed.

  Lemma beginning_judged p s r :
    (N.of_nat len <= from)%N -> (0 < period)%N -> fine_beginning p = true -> In s (words before) ->
    phase (N.of_nat (len + length r)) = from ->
    judged misere (map (fun v => ended (run d (began v) r) v) (views (s ++ true :: p))) = true.
  Proof.
    intros Short P F I Ph. unfold fine_beginning in F.
    set (all := map (fun s => views (s ++ true :: p)) (words before)) in *.
    match type of F with context [PositiveMap.map ?f ?m] => set (starts := m) in *; set (f0 := f) in
      * end.
    rewrite forallb_forall in F. set (vs := views (s ++ true :: p)).
    specialize (F vs ltac:(apply (in_map (fun s => views (s ++ true :: p))); exact I)).
    cbv zeta in F. rewrite PositiveMap.gmapi in F ||
      (unfold PositiveMap.map in F; rewrite PositiveMap.gmapi in F).
    destruct (PositiveMap.find (node_key (first_node vs)) starts) as [[z v]|]; [|discriminate].
    cbn [option_map] in F. unfold f0 in F.
    cbn [fst snd] in F. rewrite !andb_true_iff in F. destruct F as [[C S] L].
    apply same_node_eq in S as <-.
    assert (Start : N.of_nat len = phase (N.of_nat len)).
    { unfold phase. destruct (N.ltb_spec (N.of_nat len) from); [reflexivity|].
      replace (N.of_nat len) with from at 2 by lia.
      replace (N.of_nat len) with from by lia. now rewrite N.sub_diag, N.mod_0_l, N.add_0_r by lia.
      }
    pose proof (closed_known (map began vs) v P C Start r) as K. rewrite Ph, map_map in K.
    destruct (silent (from, map (fun v => run d (began v) r) vs)) eqn:Q.
    - unfold vs, views, silent in Q |- *. cbn [map snd] in Q |- *. unfold ended at 1.
      cbn [fst snd] in Q |- *.
      assert (Stay : forall s u, PositiveMap.find s d = None -> run d s u = s).
      { intros s' u E. induction u as [|x u IH] using rev_ind; [reflexivity|]. rewrite run_snoc, IH.
        unfold next. now rewrite E. }
      destruct (PositiveMap.find (run d (began (before, s ++ true :: p)) r) d) eqn:E;
        [discriminate|].
      rewrite Stay by exact E. unfold label. now rewrite E.
    - unfold known_node in K. rewrite Q in K. cbn [orb] in K.
      destruct (PositiveMap.find _ v) as [z|] eqn:E; [|discriminate].
      apply same_node_eq in K as <-. apply PositiveMap.elements_correct in E.
      apply orb_true_iff in L as [L|L].
      + exfalso. assert (X : silent (from, map (fun v => run d (began v) r) vs) = true);
          [|congruence].
        clear -L. unfold silent, first_node in *. cbn [snd] in *. unfold vs, views in *.
        cbn [map] in *.
        set (s0 := began (before, s ++ true :: p)) in *.
        destruct (PositiveMap.find s0 d) eqn:E; [discriminate|].
        assert (Stay : run d s0 r = s0).
        { induction r as [|x r IH] using rev_ind; [reflexivity|]. rewrite run_snoc, IH. unfold next.
          now rewrite E. }
        now rewrite Stay, E.
      + rewrite forallb_forall in L. rewrite <- (labels_map (fun v => run d (began v) r) vs).
        apply L.
        unfold arrived. apply in_map_iff. eexists.
        split; [|apply filter_In; split; [exact E|]]; [reflexivity|]. cbn. apply N.eqb_refl.
  Qed.

  Section Right.
    Variable n : nat.
    Hypothesis of_class : (from <= N.of_nat n)%N.
    Hypothesis modulo : ((N.of_nat n - from) mod period = 0)%N.
    Hypothesis checked : fine_class = true.

    Definition word (g : Z -> bool) : list bool := reading g 1 (n - 1).
    Definition labelled (m : mark) (g : Z -> bool) : Prop := label d (run d 1 (word g)) = m.

    Lemma parts : before < len /\ len <= n /\ (N.of_nat len <= from)%N /\ (0 < period)%N /\
      (forall a, In a steps -> 0 <= Z.of_nat before + a < Z.of_nat len)%Z /\
      (forall p, In p (words (len - 1 - before)) -> fine_beginning p = true /\
        forall s a, In s (words before) -> In a (free_in (s ++ true :: p)) ->
          fine_move (s ++ true :: p) a = true).
    Proof.
      unfold fine_class in checked. rewrite !andb_true_iff, Nat.ltb_lt, N.leb_le, N.ltb_lt,
        !forallb_forall in checked.
      destruct checked as [[[[B L] P] S] W]. repeat split; try lia; try exact L.
      - specialize (S a H). rewrite andb_true_iff, Z.leb_le, Z.ltb_lt in S. tauto.
      - specialize (S a H). rewrite andb_true_iff, Z.leb_le, Z.ltb_lt in S. tauto.
      - specialize (W p H). now apply andb_true_iff in W as [_ W].
      - intros s a I J. specialize (W p H). apply andb_true_iff in W as [W _].
        rewrite forallb_forall in W. specialize (W s I).
        cbv zeta in W. rewrite forallb_forall in W. now apply W.
    Qed.

    (** The word read from the k-th of the first cells on, with what is between the ends. *)
    Lemma word_split h u r k : circular n h -> reading h (- Z.of_nat before) len = u ->
      reading h (Z.of_nat len - Z.of_nat before) (n - len) = r -> k < len -> len <= n ->
      reading h (Z.of_nat k - Z.of_nat before + 1) (n - 1) = skipn (S k) u ++ r ++ firstn k u.
    Proof.
      intros C <- <- K L. rewrite reading_skipn, reading_firstn by lia.
      replace (n - 1) with (len - S k + (n - len + k)) by lia. rewrite !reading_app.
      f_equal; [|f_equal].
      - f_equal. lia.
      - f_equal. lia.
      - rewrite <- (reading_turn n ltac:(lia) h (- Z.of_nat before) k C). f_equal. lia.
    Qed.

    Lemma labels_fit : forall p g, covers steps n p g ->
      (labelled Lost g -> loses misere steps n p) /\ (labelled Won g -> wins misere steps n p).
    Proof.
      destruct parts as (B & Ln & Lf & P & Range & Fine). assert (Z0 : 0 < n) by lia.
      assert (Ph : forall r : list bool, length r = n - len ->
        phase (N.of_nat (len + length r)) = from).
      { intros r ->. replace (len + (n - len)) with n by lia. unfold phase.
        destruct (N.ltb_spec (N.of_nat n) from); [lia|].
        rewrite modulo. lia. }
      (* What is known of a circle and its options. *)
      assert (Around : forall g, circular n g -> g 0%Z = true -> exists vs : list (Z * mark),
        judged misere (label d (run d 1 (word g)) :: map snd vs) = true /\
        (forall a, In a steps -> g a = false -> exists m, In (a, m) vs) /\
        (forall a m, In (a, m) vs -> In a steps /\ g a = false /\
          exists h, extends steps n g a h /\ label d (run d 1 (word (seen_from a h))) = m)).
      { intros g C G0. set (u := reading g (- Z.of_nat before) len).
        set (r := reading g (Z.of_nat len - Z.of_nat before) (n - len)).
        assert (Lu : length u = len) by apply reading_length.
        assert (Lr : length r = n - len) by apply reading_length.
        set (s := reading g (- Z.of_nat before) before). set (p := reading g 1 (len - 1 - before)).
        assert (Eu : u = s ++ true :: p).
        { unfold u. replace len with (before + S (len - 1 - before)) by lia. rewrite reading_app.
          unfold s. f_equal.
          replace (S (len - 1 - before)) with (1 + (len - 1 - before)) by lia. rewrite reading_app.
          cbn [reading seq map app].
          f_equal; [|unfold p; f_equal; lia]. rewrite <- G0. f_equal. lia. }
        assert (Is : In s (words before)) by (pose proof (in_words s) as X; unfold s in X at 2;
          now rewrite reading_length in X).
        assert (Ip : In p (words (len - 1 - before))) by (pose proof (in_words p) as X; unfold p in
          X at 2; now rewrite reading_length in X).
        destruct (Fine p Ip) as [Begin Moves]. specialize (Moves s). rewrite <- Eu in Moves.
        pose proof (beginning_judged p s r Lf P Begin Is (Ph r Lr)) as J. rewrite <- Eu in J.
        assert (Free : forall a, In a steps -> nth (place a) u true = g a).
        { intros a I. pose proof (Range a I). unfold u, place. rewrite reading_nth by lia. f_equal.
          lia. }
        exists (map (fun a => (a, ended (run d (began (place a, made steps here cells (place a) u))
          r) (place a, made steps here cells (place a) u)))
          (free_in u)). split; [|split].
        - unfold views in J. cbn [map] in J. rewrite !map_map in J |- *. cbn [snd].
          replace (label d (run d 1 (word g))) with
            (ended (run d (began (before, u)) r) (before, u)); [exact J|].
          unfold ended, began. cbn [fst snd]. rewrite <- !run_app. do 2 f_equal.
          rewrite <- ?app_assoc. unfold word.
          rewrite <- (word_split g u r before C eq_refl eq_refl B Ln). f_equal. lia.
        - intros a I G. eexists. apply in_map_iff. exists a. split; [reflexivity|]. unfold free_in.
          apply filter_In. split; [exact I|].
          now rewrite Free, G.
        - intros a m I. apply in_map_iff in I as (a' & E & I). injection E as -> <-.
          pose proof (Moves a Is I) as F. unfold free_in in I.
          apply filter_In in I as [I N]. apply negb_true_iff in N. rewrite Free in N by exact I.
          split; [exact I|]. split; [exact N|].
          pose proof (Range a I) as Ra. unfold fine_move in F.
          set (v := made steps here cells (place a) u) in *.
          assert (Ru : reading g (- Z.of_nat before) (length u) = u) by now rewrite Lu.
          assert (Ea : (a mod Z.of_nat n = (- Z.of_nat before + Z.of_nat (place a)) mod Z.of_nat
            n)%Z) by (f_equal; unfold place; lia).
          destruct (fine_extends steps n Z0 here ltac:(reflexivity) g (- Z.of_nat before) u v a
            (place a) C Ru ltac:(lia) Ea F) as (X & Lv & K).
          exists (replaced n g (- Z.of_nat before) v). split; [exact X|].
          set (h := replaced n g (- Z.of_nat before) v) in *.
          pose proof (proj1 X) as Ch. unfold ended, began. cbn [fst snd]. rewrite <- !run_app.
          do 2 f_equal. rewrite <- ?app_assoc. unfold word.
          rewrite reading_seen. rewrite <- (word_split h v r (place a) Ch);
            [f_equal; unfold place; lia| | |lia|exact Ln].
          + rewrite <- Lu, <- Lv. apply replaced_reading; lia.
          + unfold r. apply reading_same. intros k Kk. unfold h.
            replace (Z.of_nat len - Z.of_nat before + Z.of_nat k)%Z with
              (- Z.of_nat before + Z.of_nat (len + k))%Z by lia.
            apply replaced_beyond; [lia|exact C|lia]. }
      apply (labels_right misere steps n Z0).
      - intros g C G0 L. destruct (Around g C G0) as (vs & J & All & Each). unfold labelled in *.
        rewrite L in J. cbn [judged] in J.
        apply andb_true_iff in J as [W S]. rewrite forallb_forall in W. split.
        + intros ->. destruct vs as [|[a m] vs]; [discriminate|].
          destruct (Each a m) as (I & G & _); [now left|]. now exists a.
        + intros a I G. destruct (All a I G) as (m & V).
          destruct (Each a m V) as (_ & _ & h & X & Lh). exists h. split; [exact X|].
          specialize (W m ltac:(apply in_map_iff; now exists (a, m))). destruct m; try discriminate.
          exact Lh.
      - intros g C G0 L. destruct (Around g C G0) as (vs & J & All & Each). unfold labelled in *.
        rewrite L in J. cbn [judged] in J.
        apply orb_true_iff in J as [W|W].
        + apply existsb_exists in W as (m & I & Lm). apply in_map_iff in I as ([a m'] & E & V).
          cbn in E. subst m'.
          destruct (Each a m V) as (I & G & h & X & Lh). left. exists a, h. split; [exact I|].
          split; [exact G|]. split; [exact X|]. destruct m; try discriminate. exact Lh.
        + apply andb_true_iff in W as [M E]. right. split; [exact M|]. intros a I.
          destruct (g a) eqn:G; [reflexivity|].
          destruct (All a I G) as (m & V). destruct vs; [destruct V|discriminate].
    Qed.
  End Right.

  Lemma zeros_run s k : zeros s (N.of_nat k) = run d s (repeat false k).
  Proof.
    revert s. unfold zeros. induction k as [|k IH]; intro s; [reflexivity|].
    rewrite Nat2N.inj_succ, N.iter_succ, IH.
    replace (S k) with (k + 1) by lia. rewrite repeat_app. cbn [repeat]. now rewrite run_snoc.
  Qed.

  Lemma zeros_add s j k : zeros s (j + k) = zeros (zeros s j) k.
  Proof. unfold zeros. rewrite N.add_comm. apply N.iter_add. Qed.

  Theorem class_right (is_lost_ : bool) n :
    fine_class = true -> fine_starts is_lost_ = true -> (from <= N.of_nat n)%N ->
      ((N.of_nat n - from) mod period = 0)%N ->
    if is_lost_ then loses misere steps n [0] else wins misere steps n [0].
  Proof.
    intros F S L M. destruct (parts n L M F) as (B & Ln & Lf & P & _). assert (Z0 : 0 < n) by lia.
    assert (W : label d (zeros 1 (N.pred (N.of_nat n))) = if is_lost_ then Lost else Won).
    { unfold fine_starts in S. cbv zeta in S. rewrite andb_true_iff, forallb_forall in S.
      destruct S as [First All].
      set (v := orbit _ _ _) in *. apply N.div_exact in M; [|lia].
      set (q := ((N.of_nat n - from) / period)%N) in *.
      assert (K : forall k, exists t, PositiveMap.find (zeros 1 (N.pred from + period * N.of_nat k))
        v = Some t).
      { intro k. induction k as [|k [t IH]].
        - rewrite N.mul_0_r, N.add_0_r.
          match type of First with (match ?x with _ => _ end) = true => destruct x eqn:E end;
            [eexists; (exact E || reflexivity)|discriminate].
        - replace (N.pred from + period * N.of_nat (Datatypes.S k))%N with
            (N.pred from + period * N.of_nat k + period)%N by lia.
          rewrite zeros_add. apply PositiveMap.elements_correct in IH. specialize (All _ IH).
          cbn [fst] in All.
          apply andb_true_iff in All as [_ X].
          match type of X with (match ?x with _ => _ end) = true => destruct x eqn:E end;
            [eexists; (exact E || reflexivity)|discriminate]. }
      destruct (K (N.to_nat q)) as [t E]. rewrite N2Nat.id in E.
      apply PositiveMap.elements_correct in E. specialize (All _ E). cbn [fst] in All.
      apply andb_true_iff in All as [X _]. replace (N.pred from + period * q)%N with
        (N.pred (N.of_nat n)) in X by lia.
      destruct is_lost_; destruct (label d _); try discriminate; reflexivity. }
    replace (N.pred (N.of_nat n)) with (N.of_nat (n - 1)) in W by lia. rewrite zeros_run in W.
    assert (Z : word n (start n) = repeat false (n - 1)).
    { unfold word, reading. apply same_by_nth; [now rewrite map_length, seq_length, repeat_length|].
      rewrite map_length, seq_length. intros k Hk.
      change (nth k (reading (start n) 1 (n - 1)) true = nth k (repeat false (n - 1)) true).
      rewrite reading_nth by exact Hk. rewrite (nth_indep _ true false) by now
        rewrite repeat_length.
      rewrite nth_repeat. unfold start. apply Z.eqb_neq. rewrite Z.mod_small by lia. lia. }
    destruct (labels_fit n L M F [0] (start n) (start_covers steps n Z0)) as [Ll Lw].
    unfold labelled in *. rewrite Z in *.
    destruct is_lost_; auto.
  Qed.
End Class.

(** * Claims on the number of cells *)

(** Whether a term, or a formula, is the same of n and of n + period for all n from [top] on. *)
Definition steady (period : N) (t : term) : bool :=
  match t with
  | Number _ => true
  | Remainder (Heap 0) m => negb (N.eqb m 0) && N.eqb (period mod m) 0
  | _ => false
  end.

Fixpoint settled (top period : N) (f : formula) : bool :=
  let comparison a b :=
    steady period a && steady period b ||
    match a, b with Heap 0, Number c | Number c, Heap 0 => N.ltb c top | _, _ => false end in
  match f with
  | Known _ => true
  | Equal a b | AtMost a b | Less a b => comparison a b
  | Not f => settled top period f
  | And f g | Or f g => settled top period f && settled top period g
  | Exists _ _ => false
  end.

Definition only (n : N) : env := fun i => heap i [n].

Fixpoint truth (f : formula) (n : N) : bool :=
  match f with
  | Known b => b
  | Equal a b => N.eqb (tden a (only n)) (tden b (only n))
  | AtMost a b => N.leb (tden a (only n)) (tden b (only n))
  | Less a b => N.ltb (tden a (only n)) (tden b (only n))
  | Not f => negb (truth f n)
  | And f g => truth f n && truth g n
  | Or f g => truth f n || truth g n
  | Exists _ _ => false
  end.

Lemma truth_says top period f n : settled top period f = true ->
  (truth f n = true <-> fden f (only n)).
Proof.
  induction f; cbn [settled truth fden]; intro S; try discriminate.
  - destruct b; split; auto; discriminate || contradiction.
  - apply N.eqb_eq.
  - apply N.leb_le.
  - apply N.ltb_lt.
  - rewrite negb_true_iff, <- (IHf S), <- not_true_iff_false. apply iff_refl.
  - apply andb_true_iff in S as [S1 S2]. now rewrite andb_true_iff, (IHf1 S1), (IHf2 S2).
  - apply andb_true_iff in S as [S1 S2]. now rewrite orb_true_iff, (IHf1 S1), (IHf2 S2).
Qed.

Lemma steady_turn period t n : steady period t = true ->
  tden t (only (n + period)) = tden t (only n).
Proof.
  destruct t as [k|i|a b|k a|a b|a b|a b|a k|a k|k is]; cbn [steady]; try discriminate;
    [reflexivity|].
  destruct a as [?|[|i]|? ?|? ?|? ?|? ?|? ?|? ?|? ?|? ?]; try discriminate.
  rewrite andb_true_iff, negb_true_iff, N.eqb_neq, N.eqb_eq. intros [Z E].
  cbn [tden]. unfold only, heap. cbn [nth].
  now rewrite N.add_mod, E, N.add_0_r, N.mod_mod by exact Z.
Qed.

Lemma settled_turn top period f n : settled top period f = true -> (top <= n)%N ->
  truth f (n + period) = truth f n.
Proof.
  intros S T.
  assert (Cmp : forall (r : N -> N -> bool) a b,
    (forall x y c, (c < x -> c < y -> r x c = r y c /\ r c x = r c y)%N) ->
    steady period a && steady period b ||
      match a, b with Heap 0, Number c | Number c, Heap 0 => N.ltb c top | _, _ =>
        false end = true ->
    r (tden a (only (n + period))) (tden b (only (n + period))) = r (tden a (only n))
      (tden b (only n))).
  { intros r a b R H. apply orb_true_iff in H as [H|H].
    - apply andb_true_iff in H as [A B]. now rewrite (steady_turn _ a), (steady_turn _ b).
    - destruct a as [c|i|? ?|? ?|? ?|? ?|? ?|? ?|? ?|? ?]; try discriminate.
      + destruct b as [?|[|i]|? ?|? ?|? ?|? ?|? ?|? ?|? ?|? ?]; try discriminate.
        apply N.ltb_lt in H. apply (R (n + period)%N n c); lia.
      + destruct i as [|i]; destruct b as [c|?|? ?|? ?|? ?|? ?|? ?|? ?|? ?|? ?]; try discriminate.
        apply N.ltb_lt in H. apply (R (n + period)%N n c); lia. }
  revert S. induction f; cbn [settled truth]; intro S; try discriminate; try reflexivity.
  - apply (Cmp N.eqb); [|exact S]. intros x y c X Y.
    split; (destruct (N.eqb_spec x c), (N.eqb_spec y c), (N.eqb_spec c x), (N.eqb_spec c y));
      lia || reflexivity.
  - apply (Cmp N.leb); [|exact S]. intros x y c X Y.
    split; (destruct (N.leb_spec x c), (N.leb_spec y c), (N.leb_spec c x), (N.leb_spec c y));
      lia || reflexivity.
  - apply (Cmp N.ltb); [|exact S]. intros x y c X Y.
    split; (destruct (N.ltb_spec x c), (N.ltb_spec y c), (N.ltb_spec c x), (N.ltb_spec c y));
      lia || reflexivity.
  - now rewrite (IHf S).
  - apply andb_true_iff in S as [S1 S2]. now rewrite (IHf1 S1), (IHf2 S2).
  - apply andb_true_iff in S as [S1 S2]. now rewrite (IHf1 S1), (IHf2 S2).
Qed.

(** * Circles of every length *)

(** A class of numbers of cells, by the remainder: the first number of which the automaton speaks,
    and who loses. *)
Record class := { first_number : N; first_loses : bool; machine : automaton }.

Section Circles.
  Variable misere : bool.
  Variable steps : list Z.
  Variable claim : formula.
  Variable classes : list class.

  Definition forth : nat := Z.to_nat (fold_left Z.max steps 0%Z).
  Definition back : nat := Z.to_nat (- fold_left Z.min steps 0%Z).
  Definition in_front : nat := forth + back.
  Definition behind : nat := match back with O => pred in_front | S _ => in_front end.
  Definition around : nat := behind + 1 + in_front.
  Definition looked_at : list nat := filter (fun j => negb (Nat.eqb j behind))
    (seq (behind - back) (back + 1 + forth)).

  Notation period := (N.of_nat (length classes)).

  (** The first position of a circle, searched: whether who is to move loses. *)
  Definition searched (n : nat) : option bool :=
    let cells := map (fun i => Z.to_nat ((Z.of_nat i - Z.of_nat back) mod Z.of_nat n))
      (seq 0 (back + 1 + forth)) in
    let turn z := (z mod Z.of_nat n)%Z in
    match search misere steps n turn (made steps turn cells) (fun _ => []) (S n)
      (PositiveMap.empty _) (true :: repeat false (n - 1)) with
    | Some (w, _) => Some (negb w)
    | None => None
    end.

  Definition of_number (n : N) : option class := nth_error classes (N.to_nat (n mod period)).

  Definition loses_first (n : N) : option bool :=
    match of_number n with
    | Some c => if N.ltb n (first_number c) then searched (N.to_nat n) else Some (first_loses c)
    | None => None
    end.

  Definition top : N := (fold_left N.max (map first_number classes) 0 + period + 1)%N.

  Definition fine_circles : bool :=
    Nat.leb in_front 12 && N.leb top (period + 131) && N.ltb 0 period && settled top period claim &&
    forallb (fun i => match nth_error classes i with
      | Some c =>
        N.eqb (first_number c mod period) (N.of_nat i) && N.ltb (first_number c) top &&
        fine_starts (machine c) (first_number c) period (first_loses c) &&
        fine_class misere steps behind around looked_at (machine c) (first_number c) period
      | None => false
      end) (seq 0 (length classes)) &&
    forallb (fun n => match loses_first n with Some x => Bool.eqb x (truth claim n) | None =>
      false end)
      (map N.of_nat (seq 1 (N.to_nat (top + period)))).

  Lemma searched_right n x : 0 < n -> searched n = Some x -> if x then loses misere steps n [0] else
    wins misere steps n [0].
  Proof.
    intros Z. unfold searched. cbv zeta. destruct (search _ _ _ _ _ _ _ _ _) as [[w m]|] eqn:E;
      [|discriminate]. intro H. injection H as <-.
    apply search_right in E as [R _]; [|exact Z|intro z; apply Z.mod_mod; lia|intros k u y F;
      now rewrite PositiveMap.gempty in F].
    specialize (R [0] (start n) (start_covers steps n Z)).
    assert (Eq : reading (start n) 0 n = true :: repeat false (n - 1)).
    { apply same_by_nth; [cbn [length]; rewrite reading_length, repeat_length; lia|].
      rewrite reading_length. intros k K.
      rewrite reading_nth by exact K. unfold start. rewrite Z.mod_small by lia.
      destruct k as [|k]; [reflexivity|]. cbn [nth].
      rewrite (nth_indep _ true false) by (rewrite repeat_length; lia). rewrite nth_repeat.
      apply Z.eqb_neq. lia. }
    specialize (R Eq). now destruct w.
  Qed.

  Theorem circles_right : fine_circles = true -> forall n, 0 < n ->
    (loses misere steps n [0] <-> fden claim (only (N.of_nat n))).
  Proof.
    unfold fine_circles. rewrite !andb_true_iff, N.ltb_lt, !forallb_forall.
    intros [[[[_ P] S] Classes] Below].
    assert (Class : forall n, exists c, of_number n = Some c /\
      (first_number c mod period = n mod period)%N /\ (first_number c < top)%N /\
      fine_starts (machine c) (first_number c) period (first_loses c) = true /\
      fine_class misere steps behind around looked_at (machine c) (first_number c) period = true).
    { intro n. pose proof (N.mod_lt n period ltac:(lia)) as B. 
      assert (I : In (N.to_nat (n mod period)) (seq 0 (length classes))).
      { apply in_seq. set (r := (n mod period)%N) in *. clearbody r. lia. }
      specialize (Classes _ I).
      unfold of_number. destruct (nth_error classes _) as [c|]; [|discriminate].
      rewrite !andb_true_iff, N.eqb_eq, N.ltb_lt in Classes.
      rewrite N2Nat.id in Classes. exists c. intuition. }
    assert (Right : forall n x, 0 < n -> loses_first (N.of_nat n) = Some x ->
      if x then loses misere steps n [0] else wins misere steps n [0]).
    { intros n x Z. unfold loses_first. destruct (Class (N.of_nat n)) as (c & -> & M & T & St & F).
      destruct (N.ltb_spec (N.of_nat n) (first_number c)) as [L|L];
        [rewrite Nat2N.id; now apply searched_right|]. intro E. injection E as <-.
      apply (class_right misere steps behind around looked_at (machine c) (first_number c) period _
        n F St L).
      set (f := first_number c) in *. set (m := N.of_nat n) in *. clearbody f m.
      pose proof (N.div_mod f period ltac:(lia)) as Df.
      pose proof (N.div_mod m period ltac:(lia)) as Dm. rewrite M in Df.
      assert (Q : (f / period <= m / period)%N) by (apply N.div_le_mono; lia).
      set (a := (f / period)%N) in *. set (b := (m / period)%N) in *.
      assert (Eb : b = (a + (b - a))%N) by lia. set (r := (m mod period)%N) in *.
      replace (m - f)%N with ((b - a) * period)%N by (rewrite Df, Dm, Eb; ring_simplify; lia).
      apply N.mod_mul. lia. }
    assert (All : forall n, 0 < n -> loses_first (N.of_nat n) = Some (truth claim (N.of_nat n))).
    { intro n. induction n as [n IH] using (well_founded_induction lt_wf). intro Z.
      destruct (N.lt_ge_cases (N.of_nat n) (top + period)) as [L|L].
      - specialize (Below (N.of_nat n) ltac:(apply in_map, in_seq; lia)).
        destruct (loses_first (N.of_nat n)); [|discriminate].
        now rewrite (eqb_prop _ _ Below).
      - specialize (IH (n - length classes) ltac:(lia) ltac:(unfold top in L; lia)).
        unfold loses_first in *.
        replace (N.of_nat n) with (N.of_nat (n - length classes) + period)%N by lia.
        set (m := N.of_nat (n - length classes)) in *. assert (Tm : (top <= m)%N) by lia.
        rewrite (settled_turn top period) by assumption.
        assert (E : of_number (m + period) = of_number m).
        { unfold of_number. replace (m + period)%N with (m + 1 * period)%N by lia.
          now rewrite N.mod_add by lia. }
        rewrite E. destruct (Class m) as (c & Oc & _ & T & _ & _). rewrite Oc in *.
        destruct (N.ltb_spec m (first_number c)); [lia|].
        destruct (N.ltb_spec (m + period) (first_number c)); [lia|]. exact IH. }
    intros n Z. specialize (All n Z). pose proof (Right n _ Z All) as R.
    rewrite <- (truth_says top period claim _ S).
    destruct (truth claim (N.of_nat n)); split; intro H; auto; try discriminate.
    exfalso. exact (not_both_here misere steps n Z [0] H R).
  Qed.
End Circles.

(** * One position, with the winner's steps *)

Section Position.
  Variable misere : bool.
  Variable steps : list Z.
  Variable n : nat.
  Notation Zn := (Z.of_nat n).

  (** The marks of a position. *)
  Definition marks (t : nat) (r : list nat) (i : Z) : bool :=
    existsb (Nat.eqb (cell n t i)) (t :: r).

  Lemma marks_cover t r : t < n -> covers steps n (t :: r) (marks t r).
  Proof.
    intro T. exists t, r. split; [reflexivity|]. split; [|split; [|split]].
    - intro i. unfold marks, cell. now rewrite Z.add_mod_idemp_r by lia.
    - unfold marks, cell. rewrite Z.add_0_r, Z.mod_small, Nat2Z.id by lia. cbn [existsb].
      now rewrite Nat.eqb_refl.
    - intros i H I. unfold marks in H. apply not_true_iff_false in H. apply H, existsb_exists.
      exists (cell n t i).
      split; [exact I|apply Nat.eqb_refl].
    - intros i H. left. unfold marks in H. apply existsb_exists in H as (c & I & E).
      apply Nat.eqb_eq in E. now rewrite E.
  Qed.

  Definition is_free (u : list bool) (j : nat) : bool := negb (nth j u true).

  (** Cells that the token, on the k-th, can come to; so many rounds are made. *)
  Fixpoint reached (rounds k : nat) (u found : list bool) : list bool :=
    match rounds with
    | O => found
    | S rounds =>
      let more := map (fun j => nth j found false ||
        is_free u j && existsb (fun s => let i := Z.to_nat ((Z.of_nat j - s) mod Zn) in
          Nat.eqb i k || nth i found false) steps) (seq 0 n) in
      if same_word more found then found else reached rounds k u more
    end.

  (** All cells are marked that the token cannot come to. *)
  Definition marked_beyond (k : nat) (u : list bool) : list bool :=
    map negb (reached n k (with_mark k u) (repeat false n)).

  (** The winner's steps, by the cells that the token can come to. *)
  Definition book := list (list nat * Z).
  Definition written (b : book) : PositiveMap.t Z :=
    fold_left (fun m cs => PositiveMap.add (word_key
      (map (fun j => negb (existsb (Nat.eqb j) (fst cs))) (seq 0 n))) (snd cs) m)
      b (PositiveMap.empty _).

  Definition replayed (b : book) (p : list nat) : option bool :=
    match p with
    | t :: r =>
      if Nat.ltb t n then
        let b := written b in
        let advised u := match PositiveMap.find (word_key (marked_beyond 0 u)) b with Some a =>
          [a] | None => [] end in
        match search misere steps n (fun z => z mod Zn)%Z marked_beyond advised (S n)
          (PositiveMap.empty _) (reading (marks t r) 0 n) with
        | Some (w, _) => Some w
        | None => None
        end
      else None
    | [] => None
    end.

  Theorem replayed_right b p w : replayed b p = Some w -> if w then wins misere steps n p else
    loses misere steps n p.
  Proof.
    unfold replayed. destruct p as [|t r]; [discriminate|].
    destruct (Nat.ltb_spec t n) as [T|]; [|discriminate]. cbv zeta.
    match goal with |- context [search ?a ?b ?c ?d ?e ?f ?g ?h ?i] =>
      destruct (search a b c d e f g h i) as [[x m]|] eqn:E end; [|discriminate].
    intro H. injection H as <-. assert (Z : 0 < n) by lia.
    apply search_right in E as [R _]; [|exact Z|intro z; apply Z.mod_mod; lia|intros k u y F;
      now rewrite PositiveMap.gempty in F].
    exact (R (t :: r) (marks t r) (marks_cover t r T) eq_refl).
  Qed.
End Position.

Print Assumptions circles_right.
Print Assumptions replayed_right.
