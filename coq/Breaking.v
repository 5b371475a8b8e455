(** Games of taking and breaking with digits up to 7: the nim-values of heaps repeat for ever if
    they do so on a stretch that can be computed (Guy and Smith 1956), and nim-sums of them say who
    wins (Sprague 1935, Grundy 1939). *)

From Coq Require Import List NArith Lia Bool FMapPositive.
From Bouton Require Import Positions Games.
Import ListNotations.
Open Scope N_scope.

(** * Nim-sums *)

Lemma lower_bit a s : s <> 0 -> N.testbit a (N.log2 s) = true -> N.lxor a s < a.
Proof.
  intros S B. set (k := N.log2 s) in *. set (y := N.shiftr a k).
  assert (One : N.shiftr s k = 1).
  { rewrite N.shiftr_div_pow2. pose proof (N.log2_spec s ltac:(lia)) as [L H]. fold k in L, H.
    rewrite N.pow_succ_r' in H.
    apply N.le_antisymm; [|apply N.div_le_lower_bound; lia].
    apply N.lt_succ_r, N.div_lt_upper_bound; lia. }
  assert (Odd : N.odd y = true) by (unfold y; rewrite <- N.bit0_odd, N.shiftr_spec', N.add_0_l;
    exact B).
  assert (X : N.shiftr (N.lxor a s) k = y - 1).
  { rewrite N.shiftr_lxor, One. fold y. apply N.odd_spec in Odd as [x E]. rewrite E.
    apply N.bits_inj. intro i.
    rewrite N.lxor_spec. destruct (N.eq_dec i 0) as [->|I].
    - rewrite N.testbit_odd_0. replace (2 * x + 1 - 1) with (2 * x) by lia.
      now rewrite N.testbit_even_0.
    - replace i with (N.succ (N.pred i)) by lia. rewrite N.testbit_odd_succ by lia.
      replace (2 * x + 1 - 1) with (2 * x) by lia. rewrite N.testbit_even_succ by lia.
      replace (N.testbit 1 (N.succ (N.pred i))) with false; [now rewrite xorb_false_r|].
      symmetry. change 1 with (2 * 0 + 1). rewrite N.testbit_odd_succ by lia. apply N.bits_0. }
  assert (Y : y <> 0) by (intro E; rewrite E in Odd; discriminate).
  rewrite N.shiftr_div_pow2 in X. assert (E : y = a / 2 ^ k) by apply N.shiftr_div_pow2.
  rewrite E in X, Y.
  destruct (N.lt_ge_cases (N.lxor a s) a) as [L|L]; [exact L|exfalso].
  pose proof (N.div_le_mono a _ (2 ^ k) ltac:(apply N.pow_nonzero; lia) L) as D. rewrite X in D.
  revert D Y. generalize (a / 2 ^ k). lia.
Qed.

Lemma some_bit l k : N.testbit (nim_sum l) k = true -> exists a, In a l /\ N.testbit a k = true.
Proof.
  induction l as [|a l IH]; cbn [nim_sum fold_right]; [rewrite N.bits_0; discriminate|].
  rewrite N.lxor_spec.
  destruct (N.testbit a k) eqn:A; [exists a; split; [now left|exact A]|]. rewrite xorb_false_l.
  intro H.
  destruct (IH H) as (b & B & T). exists b. split; [now right|exact T].
Qed.

Lemma nim_sum_app l r : nim_sum (l ++ r) = N.lxor (nim_sum l) (nim_sum r).
Proof.
  unfold nim_sum. induction l as [|a l IH]; cbn [app fold_right]; [now rewrite N.lxor_0_l|].
  now rewrite IH, N.lxor_assoc.
Qed.

(** * Sprague and Grundy *)

Section Sums.
  Variable code : list N.
  Variable g : N -> N.

  Notation value := (fun p => nim_sum (map g p)).

  (** The value of a heap is the least that no option has. *)
  Definition fits (h : N) : Prop :=
    (forall o, breaks code h o -> value o <> g h) /\
      (forall v, v < g h -> exists o, breaks code h o /\ value o = v).

  Hypothesis all_fit : forall h, fits h.

  Lemma break_less h o : breaks code h o -> tokens o < h.
  Proof. intros (k & -> & _ & B). destruct k as [|k]; [rewrite N.bits_0 in B; discriminate|]. lia.
  Qed.

  Lemma tokens_app l r : tokens (l ++ r) = tokens l + tokens r.
  Proof. unfold tokens. induction l as [|a l IH]; [reflexivity|]. cbn [app fold_right]. rewrite IH.
  lia. Qed.

  Lemma breaking_less p q : breaking code p q -> tokens q < tokens p.
  Proof.
    intros (l & h & r & o & -> & -> & B). apply break_less in B. rewrite !tokens_app.
    change (h :: r) with ([h] ++ r).
    rewrite tokens_app. cbn [tokens fold_right]. unfold tokens in *. cbn [fold_right] in *. lia.
  Qed.

  Lemma value_app l r : value (l ++ r) = N.lxor (value l) (value r).
  Proof. cbn beta. now rewrite map_app, nim_sum_app. Qed.

  Lemma xor_back a b : N.lxor a (N.lxor a b) = b.
  Proof. now rewrite <- N.lxor_assoc, N.lxor_nilpotent, N.lxor_0_l. Qed.

  Lemma value_at l h r : value (l ++ h :: r) = N.lxor (value l) (N.lxor (g h) (value r)).
  Proof. exact (value_app l (h :: r)). Qed.

  Theorem sums p : P_position (breaking code) p <-> value p = 0.
  Proof.
    apply (criterion (breaking code) (fun _ => True) (fun p => value p = 0)); [| | |exact I].
    - intros a b _ B. split; [exact I|now apply breaking_less].
    - intros a b _ A (l & h & r & o & -> & -> & B) Z. rewrite value_at in A.
      rewrite !value_app in Z. destruct (all_fit h) as [F _].
      apply (F o B). rewrite <- Z in A. apply (f_equal (N.lxor (value l))) in A.
      rewrite !xor_back in A.
      apply (f_equal (fun x => N.lxor x (value r))) in A.
      rewrite !N.lxor_assoc, !N.lxor_nilpotent, !N.lxor_0_r in A. now symmetry.
    - intros a _. destruct (N.eq_dec (value a) 0) as [Z|S]; [now left|right].
      set (s := value a) in *.
      destruct (some_bit (map g a) (N.log2 s)) as (x & Hx & B); [now apply N.bit_log2|].
      apply in_map_iff in Hx as (h & <- & Hh). destruct (all_fit h) as [_ F].
      destruct (F (N.lxor (g h) s) (lower_bit _ _ S B)) as (o & Bo & V).
      apply in_split in Hh as (l & r & E).
      exists (l ++ o ++ r). split; [now exists l, h, r, o|]. rewrite !value_app, V. unfold s.
      rewrite E, value_at.
      apply N.bits_inj. intro i. rewrite !N.lxor_spec, N.bits_0.
      destruct (N.testbit (value l) i), (N.testbit (value r) i), (N.testbit (g h) i); reflexivity.
  Qed.
End Sums.

(** * Numbers in a row, and tables *)

Fixpoint count (n : nat) (from : N) : list N := match n with O => [] | S n =>
  from :: count n (N.succ from) end.

Lemma in_count n a x : In x (count n a) <-> a <= x < a + N.of_nat n.
Proof.
  revert a. induction n as [|n IH]; intro a; cbn [count In]; [lia|]. rewrite IH. lia.
Qed.

Definition below_ (n : N) : list N := count (N.to_nat n) 0.

Lemma in_below_ n x : In x (below_ n) <-> x < n.
Proof. unfold below_. rewrite in_count. lia. Qed.

Definition present (l : list N) : PositiveMap.t unit :=
  fold_left (fun m v => PositiveMap.add (N.succ_pos v) tt m) l (PositiveMap.empty unit).
Definition has (v : N) (m : PositiveMap.t unit) : bool := match PositiveMap.find (N.succ_pos v)
  m with Some _ => true | None => false end.

Lemma succ_pos_inj a b : N.succ_pos a = N.succ_pos b -> a = b.
Proof. intro H. apply (f_equal Npos) in H. rewrite !N.succ_pos_spec in H. lia. Qed.

Lemma has_present v l : has v (present l) = true <-> In v l.
Proof.
  unfold present. assert (G : forall m, has v
    (fold_left (fun m v => PositiveMap.add (N.succ_pos v) tt m) l m) = true <-> In v l \/
      has v m = true).
  { induction l as [|a l IH]; intro m; cbn [fold_left In]; [tauto|]. rewrite IH.
    destruct (N.eq_dec a v) as [->|D].
    - assert (E : has v (PositiveMap.add (N.succ_pos v) tt m) = true) by (unfold has;
        now rewrite PositiveMap.gss). tauto.
    - assert (E : has v (PositiveMap.add (N.succ_pos a) tt m) = has v m); [|rewrite E; tauto].
      unfold has. rewrite PositiveMap.gso; [reflexivity|]. intro X. apply succ_pos_inj in X.
      congruence. }
  rewrite G. unfold has. rewrite PositiveMap.gempty. intuition discriminate.
Qed.

(** * A period *)

Section Period.
  Variable code : list N.
  Variable period : N.
  Variable first : list N.

  Notation g := (repeated period first).
  Notation value := (fun p => nim_sum (map g p)).
  Notation size := (N.of_nat (length first)).
  Notation longest := (N.of_nat (length code)).

  (** Up to here everything is computed. *)
  Definition enough : N := 2 * size + longest.

  Definition table : PositiveMap.t N := fold_left
    (fun m h => PositiveMap.add (N.succ_pos h) (g h) m) (below_ enough) (PositiveMap.empty N).
  Definition look (t : PositiveMap.t N) (h : N) : N := match PositiveMap.find (N.succ_pos h) t with
    Some v => v | None => 0 end.

  Lemma look_table h : h < enough -> look table h = g h.
  Proof.
    intro H. apply in_below_ in H. unfold table, look. revert H.
    generalize (below_ enough), (PositiveMap.empty N). intro l.
    assert (G : forall m, (In h l -> match PositiveMap.find (N.succ_pos h)
      (fold_left (fun m h => PositiveMap.add (N.succ_pos h) (g h) m) l m) with Some v => v | None =>
        0 end = g h) /\
      (~ In h l -> PositiveMap.find (N.succ_pos h)
        (fold_left (fun m h => PositiveMap.add (N.succ_pos h) (g h) m) l m) = PositiveMap.find
          (N.succ_pos h) m)).
    { induction l as [|a l IH]; intro m; cbn [fold_left In]; [tauto|].
      destruct (IH (PositiveMap.add (N.succ_pos a) (g a) m)) as [I1 I2]. split.
      - intro H. destruct (in_dec N.eq_dec h l) as [L|L]; [now apply I1|]. rewrite (I2 L).
        destruct H as [->|H]; [|contradiction].
        now rewrite PositiveMap.gss.
      - intro H. rewrite I2 by tauto. apply PositiveMap.gso. intro X. apply succ_pos_inj in X.
        intuition congruence. }
    intros m H. exact (proj1 (G m) H).
  Qed.

  Definition pairs (t : PositiveMap.t N) (m : N) : list N :=
    map (fun a => N.lxor (look t a) (look t (m - a))) (count (N.to_nat (N.div2 m)) 1).

  Definition by_digit (t : PositiveMap.t N) (h k d : N) : list N :=
    if h <? k then [] else
    let m := h - k in
    (if N.testbit d 0 && (m =? 0) then [0] else []) ++
      (if N.testbit d 1 && negb (m =? 0) then [look t m] else []) ++
    (if N.testbit d 2 then pairs t m else []).

  Fixpoint by_digits (t : PositiveMap.t N) (h k : N) (ds : list N) : list N :=
    match ds with [] => [] | d :: ds => by_digit t h k d ++ by_digits t h (N.succ k) ds end.

  Definition fitting (t : PositiveMap.t N) (h : N) : bool :=
    let own := look t h in
    let others := present (by_digits t h 1 code) in
    negb (has own others) && forallb (fun v => has v others) (below_ own).

  Definition periodic : bool :=
    (1 <=? period) && (period <? size) && forallb (fun d => d <? 8) code &&
    let t := table in forallb (fitting t) (below_ enough).

  Lemma in_by_digits t h v ds k :
    In v (by_digits t h k ds) <-> exists i d, nth_error ds i = Some d /\
      In v (by_digit t h (k + N.of_nat i) d).
  Proof.
    revert k. induction ds as [|d ds IH]; intro k; cbn [by_digits].
    - split; [intros []|]. intros ([|i] & d & H & _); discriminate.
    - rewrite in_app_iff, IH. split.
      + intros [H|(i & d' & H & V)]; [exists 0%nat, d; rewrite N.add_0_r; now split|].
        exists (S i), d'. split; [exact H|].
        replace (k + N.of_nat (S i)) with (N.succ k + N.of_nat i) by lia. exact V.
      + intros ([|i] & d' & H & V); cbn [nth_error] in H.
        * left. injection H as ->. now rewrite N.add_0_r in V.
        * right. exists i, d'. split; [exact H|].
          replace (N.succ k + N.of_nat i) with (k + N.of_nat (S i)) by lia. exact V.
  Qed.

  Section Checked.
    Hypothesis fine : periodic = true.

    Lemma fine_parts : 1 <= period /\ period < size /\ (forall d, In d code -> d < 8) /\
      forall h, h < enough -> fitting table h = true.
    Proof.
      unfold periodic in fine. rewrite !andb_true_iff in fine. destruct fine as [[[F1 F2] F3] F4].
      apply N.leb_le in F1. apply N.ltb_lt in F2.
      rewrite forallb_forall in F3, F4. repeat split;
        [exact F1|exact F2|intros d D; now apply N.ltb_lt, F3|]. intros h H.
        now apply F4, in_below_.
    Qed.

    Lemma again h : size - period <= h -> g (h + period) = g h.
    Proof.
      destruct fine_parts as (P1 & P2 & _). intro H. unfold repeated. set (e := size - period) in *.
      destruct (N.ltb_spec (h + period) e) as [X|_]; [lia|].
      destruct (N.ltb_spec h e) as [X|_]; [lia|].
      replace (h + period - e) with (h - e + 1 * period) by lia. now rewrite N.mod_add by lia.
    Qed.

    (** What a heap breaks into: nothing, one heap, or two. *)
    Lemma broken h o : breaks code h o ->
      exists k d, 1 <= k <= longest /\ nth_error code (N.to_nat k - 1) = Some d /\
        ((o = [] /\ h = k /\ N.testbit d 0 = true) \/
         (exists a, o = [a] /\ a <> 0 /\ h = k + a /\ N.testbit d 1 = true) \/
         (exists a b, o = [a; b] /\ a <> 0 /\ b <> 0 /\ h = k + (a + b) /\ N.testbit d 2 = true)).
    Proof.
      intros (k & -> & P & B). destruct k as [|k]; [rewrite N.bits_0 in B; discriminate|].
      cbn [nth] in B.
      destruct (nth_error code k) as [d|] eqn:E;
        [|apply nth_error_None in E; rewrite nth_overflow, N.bits_0 in B by exact E; discriminate].
      rewrite (nth_error_nth _ _ _ E) in B. exists (N.of_nat (S k)), d.
      assert (K : (k < length code)%nat) by (apply nth_error_Some; congruence). split; [lia|].
      replace (N.to_nat (N.of_nat (S k)) - 1)%nat with k by lia. split; [exact E|].
      destruct o as [|a [|b [|c o]]]; cbn [length] in B.
      - left. unfold tokens. cbn [fold_right]. rewrite N.add_0_r. now repeat split.
      - right. left. exists a. cbn [In] in P. unfold tokens. cbn [fold_right]. rewrite N.add_0_r.
        repeat split; [intros ->; tauto|exact B].
      - right. right. exists a, b. cbn [In] in P. unfold tokens. cbn [fold_right].
        rewrite N.add_0_r. repeat split; [intros ->; tauto|intros ->; tauto|exact B].
      - exfalso. destruct fine_parts as (_ & _ & D & _). specialize (D d (nth_error_In _ _ E)).
        rewrite N.bits_above_log2 in B; [discriminate|].
        destruct (N.eq_dec d 0) as [->|]; [cbn; lia|].
        assert (N.log2 d < 3) by (apply N.log2_lt_pow2; lia). lia.
    Qed.

    Lemma breaks_none k d : nth_error code k = Some d -> N.testbit d 0 = true ->
      breaks code (N.of_nat (S k)) [].
    Proof. intros E B. exists (S k). cbn [tokens fold_right nth length].
    rewrite (nth_error_nth _ _ _ E). split; [unfold tokens; cbn; lia|]. now split. Qed.

    Lemma breaks_one k d a : nth_error code k = Some d -> N.testbit d 1 = true -> a <> 0 ->
      breaks code (N.of_nat (S k) + a) [a].
    Proof.
      intros E B A. exists (S k). cbn [nth length]. rewrite (nth_error_nth _ _ _ E).
      split; [unfold tokens; cbn [fold_right]; lia|].
      split; [intros [X|[]]; congruence|exact B].
    Qed.

    Lemma breaks_two k d a b :
      nth_error code k = Some d -> N.testbit d 2 = true -> a <> 0 -> b <> 0 ->
        breaks code (N.of_nat (S k) + (a + b)) [a; b].
    Proof.
      intros E B A A'. exists (S k). cbn [nth length]. rewrite (nth_error_nth _ _ _ E).
      split; [unfold tokens; cbn [fold_right]; lia|].
      split; [intros [X|[X|[]]]; congruence|exact B].
    Qed.

    Lemma two a b : value [a; b] = N.lxor (g a) (g b).
    Proof. cbn [map nim_sum fold_right]. now rewrite N.lxor_0_r. Qed.

    Lemma one a : value [a] = g a.
    Proof. cbn [map nim_sum fold_right]. now rewrite N.lxor_0_r. Qed.

    Lemma computed h v : h < enough -> (In v (by_digits table h 1 code) <->
      exists o, breaks code h o /\ value o = v).
    Proof.
      intro H. rewrite in_by_digits. split.
      - intros (i & d & E & V). unfold by_digit in V.
        destruct (N.ltb_spec h (1 + N.of_nat i)) as [|L]; [destruct V|].
        set (m := h - (1 + N.of_nat i)) in *. assert (Hm : h = N.of_nat (S i) + m) by lia.
        rewrite !in_app_iff in V. destruct V as [V|[V|V]].
        + destruct (N.testbit d 0 && (m =? 0)) eqn:T; [|destruct V].
          apply andb_true_iff in T as [T M]. apply N.eqb_eq in M. destruct V as [<-|[]].
          exists []. split; [|reflexivity]. rewrite Hm, M, N.add_0_r. now apply breaks_none with d.
        + destruct (N.testbit d 1 && negb (m =? 0)) eqn:T; [|destruct V].
          apply andb_true_iff in T as [T M].
          apply negb_true_iff, N.eqb_neq in M. destruct V as [<-|[]]. exists [m].
          rewrite look_table by lia. split; [|apply one].
          rewrite Hm. now apply breaks_one with d.
        + destruct (N.testbit d 2) eqn:T; [|destruct V]. unfold pairs in V.
          apply in_map_iff in V as (a & <- & A). apply in_count in A.
          pose proof (N.div2_odd m) as O. assert (A' : 1 <= a /\ a + a <= m) by (destruct (N.odd m);
            cbn [N.b2n] in O; lia).
          exists [a; m - a]. rewrite !look_table by lia. split; [|apply two]. rewrite Hm.
          replace m with (a + (m - a)) at 1 by lia.
          apply breaks_two with d; [exact E|exact T|lia|lia].
      - intros (o & B & <-). destruct (broken h o B) as (k & d & K & E & W).
        exists (N.to_nat k - 1)%nat, d. split; [exact E|].
        replace (1 + N.of_nat (N.to_nat k - 1)) with k by lia. unfold by_digit.
        destruct (N.ltb_spec h k) as [L|L]; [exfalso|].
        { destruct W as [(_ & -> & _)|[(a & _ & _ & -> & _)|(a & b & _ & _ & _ & -> & _)]]; lia. }
        rewrite !in_app_iff. destruct W as [(-> & ->
          & T)|[(a & -> & A & -> & T)|(a & b & -> & A & A' & -> & T)]]; rewrite T.
        + left. rewrite N.sub_diag. now left.
        + right. left. replace (k + a - k) with a by lia.
          destruct (N.eqb_spec a 0) as [|_]; [contradiction|]. cbn [negb andb].
          rewrite look_table by lia. rewrite one. now left.
        + right. right. replace (k + (a + b) - k) with (a + b) by lia. rewrite two. unfold pairs.
          apply in_map_iff.
          pose proof (N.div2_odd (a + b)) as O. destruct (N.le_ge_cases a b) as [X|X].
          * exists a. rewrite !look_table by lia. replace (a + b - a) with b by lia.
            split; [reflexivity|]. apply in_count.
            destruct (N.odd (a + b)); cbn [N.b2n] in O; lia.
          * exists b. rewrite !look_table by lia. replace (a + b - b) with a by lia.
            split; [apply N.lxor_comm|]. apply in_count.
            destruct (N.odd (a + b)); cbn [N.b2n] in O; lia.
    Qed.

    Lemma early h : h < enough -> fits code g h.
    Proof.
      intro H. destruct fine_parts as (_ & _ & _ & F). specialize (F h H). unfold fitting in F.
      rewrite look_table in F by exact H.
      apply andb_true_iff in F as [F1 F2]. split.
      - intros o B E. apply negb_true_iff in F1.
        assert (X : has (g h) (present (by_digits table h 1 code)) = true).
        { apply has_present, computed; [exact H|]. now exists o. } congruence.
      - intros v V. rewrite forallb_forall in F2. specialize (F2 v (proj2 (in_below_ _ _) V)).
        apply has_present in F2.
        now apply computed in F2.
    Qed.

    (** Large heaps have the options of those a period smaller. *)
    Lemma down h o : enough <= h -> breaks code h o -> exists o', breaks code (h - period) o' /\
      value o' = value o.
    Proof.
      intros H B. destruct fine_parts as (P1 & P2 & _). unfold enough in H.
      destruct (broken h o B) as (k & d & K & E &
        [(-> & -> & T)|[(a & -> & A & -> & T)|(a & b & -> & A & A' & -> & T)]]); [lia| |].
      - exists [a - period]. split.
        + replace (k + a - period) with (N.of_nat (S (N.to_nat k - 1)) + (a - period)) by lia.
          apply breaks_one with d; [exact E|exact T|lia].
        + rewrite !one. rewrite <- (again (a - period)) by lia. f_equal. lia.
      - destruct (N.le_gt_cases size a) as [X|X].
        + exists [a - period; b]. split.
          * replace (k + (a + b) - period) with (N.of_nat (S (N.to_nat k - 1)) + (a - period + b))
              by lia.
            apply breaks_two with d; [exact E|exact T|lia|exact A'].
          * rewrite !two. rewrite <- (again (a - period)) by lia. do 2 f_equal. lia.
        + exists [a; b - period]. split.
          * replace (k + (a + b) - period) with (N.of_nat (S (N.to_nat k - 1)) + (a + (b - period)))
              by lia.
            apply breaks_two with d; [exact E|exact T|exact A|lia].
          * rewrite !two. rewrite <- (again (b - period)) by lia. do 2 f_equal. lia.
    Qed.

    Lemma up h o : enough <= h -> breaks code (h - period) o -> exists o', breaks code h o' /\
      value o' = value o.
    Proof.
      intros H B. destruct fine_parts as (P1 & P2 & _). unfold enough in H.
      destruct (broken _ o B) as (k & d & K & E &
        [(-> & S & T)|[(a & -> & A & S & T)|(a & b & -> & A & A' & S & T)]]); [lia| |].
      - exists [a + period]. split.
        + replace h with (N.of_nat (Datatypes.S (N.to_nat k - 1)) + (a + period)) by lia.
          apply breaks_one with d; [exact E|exact T|lia].
        + rewrite !one. apply again. lia.
      - destruct (N.le_gt_cases (size - period) a) as [X|X].
        + exists [a + period; b]. split.
          * replace h with (N.of_nat (Datatypes.S (N.to_nat k - 1)) + (a + period + b)) by lia.
            apply breaks_two with d; [exact E|exact T|lia|exact A'].
          * rewrite !two. f_equal. apply again. lia.
        + exists [a; b + period]. split.
          * replace h with (N.of_nat (Datatypes.S (N.to_nat k - 1)) + (a + (b + period))) by lia.
            apply breaks_two with d; [exact E|exact T|exact A|lia].
          * rewrite !two. f_equal. apply again. lia.
    Qed.

    Lemma all_fit h : fits code g h.
    Proof.
      induction h as [h IH] using (well_founded_induction N.lt_wf_0).
      destruct (N.lt_ge_cases h enough) as [H|H]; [now apply early|].
      destruct fine_parts as (P1 & P2 & _). assert (L : h - period < h) by (unfold enough in H;
        lia). destruct (IH _ L) as [F1 F2].
      assert (E : g h = g (h - period)).
      { rewrite <- (again (h - period)) by (unfold enough in H; lia). f_equal. unfold enough in H.
        lia. }
      unfold fits. rewrite E. split.
      - intros o B V. destruct (down h o H B) as (o' & B' & V'). apply (F1 o' B'). congruence.
      - intros v V. destruct (F2 v V) as (o & B & W). destruct (up h o H B) as (o' & B' & V').
        exists o'. split; [exact B'|congruence].
    Qed.
  End Checked.

  (** ** The same computed faster: the ways to break a heap are read off two lists, of the values of
      1, 2, … and of those before a heap, the last first. *)

  Definition added (m : PositiveMap.t unit) (v : N) : PositiveMap.t unit :=
    if has v m then m else PositiveMap.add (N.succ_pos v) tt m.
  Definition gathered (l : list N) : PositiveMap.t unit :=
    fold_left added l (PositiveMap.empty unit).

  Lemma has_added v a m : has v (added m a) = true <-> a = v \/ has v m = true.
  Proof.
    unfold added. destruct (N.eq_dec a v) as [->|D].
    - destruct (has v m) eqn:E; [tauto|]. split; [tauto|]. intros _. unfold has.
      now rewrite PositiveMap.gss.
    - destruct (has a m); [tauto|].
      assert (E : has v (PositiveMap.add (N.succ_pos a) tt m) = has v m); [|rewrite E; tauto].
      unfold has. rewrite PositiveMap.gso; [reflexivity|]. intro X. apply succ_pos_inj in X.
      congruence.
  Qed.

  Lemma has_gathered v l : has v (gathered l) = has v (present l).
  Proof.
    apply eq_true_iff_eq. rewrite has_present. unfold gathered.
    assert (G : forall m, has v (fold_left added l m) = true <-> In v l \/ has v m = true).
    { induction l as [|a l IH]; intro m; cbn [fold_left In]; [tauto|]. rewrite IH, has_added. tauto.
      }
    rewrite G. unfold has. rewrite PositiveMap.gempty. intuition discriminate.
  Qed.

  Fixpoint values_before (t : PositiveMap.t N) (n : nat) : list N :=
    match n with O => [] | S n => look t (N.of_nat n) :: values_before t n end.

  Fixpoint sums_of (k : nat) (up down : list N) : list N :=
    match k, up, down with S k, a :: up, b :: down => N.lxor a b :: sums_of k up down | _, _, _ =>
      [] end.

  Lemma sums_of_pairs t k : forall n s j, (k <= n)%nat -> (k <= j)%nat ->
    sums_of k (map (look t) (count n s)) (values_before t j) =
    map (fun a => N.lxor (look t a) (look t (s + N.of_nat j - 1 - a))) (count k s).
  Proof.
    induction k as [|k IH]; intros n s j K J; [reflexivity|]. destruct n as [|n]; [lia|].
    destruct j as [|j]; [lia|].
    cbn [count map values_before sums_of]. f_equal; [do 2 f_equal; lia|]. rewrite IH by lia.
    apply map_ext. intro a. do 2 f_equal. lia.
  Qed.

  Lemma skipn_before t k : forall j, skipn k (values_before t j) = values_before t (j - k).
  Proof.
    induction k as [|k IH]; intro j; [now rewrite PeanoNat.Nat.sub_0_r|].
    destruct j as [|j]; [reflexivity|]. cbn [values_before skipn]. now rewrite IH.
  Qed.

  Definition digit_fast (t : PositiveMap.t N) (up down : list N) (h k d : N) : list N :=
    if h <? k then [] else
    let m := h - k in
    (if N.testbit d 0 && (m =? 0) then [0] else []) ++
      (if N.testbit d 1 && negb (m =? 0) then [look t m] else []) ++
    (if N.testbit d 2 then sums_of (N.to_nat (N.div2 m)) up (skipn (N.to_nat k) down) else []).

  Fixpoint digits_fast (t : PositiveMap.t N) (up down : list N) (h k : N) (ds : list N) : list N :=
    match ds with [] => [] | d :: ds => digit_fast t up down h k d ++ digits_fast t up down h
      (N.succ k) ds end.

  Definition values_from_1 (t : PositiveMap.t N) : list N :=
    map (look t) (count (N.to_nat enough) 1).

  Lemma digits_fast_same t h ds : h < enough -> forall k,
    digits_fast t (values_from_1 t) (values_before t (N.to_nat h)) h k ds = by_digits t h k ds.
  Proof.
    intro H. induction ds as [|d ds IH]; intro k; [reflexivity|]. cbn [digits_fast by_digits].
    rewrite IH. f_equal.
    unfold digit_fast, by_digit. destruct (N.ltb_spec h k) as [L|L]; [reflexivity|]. cbn zeta.
    do 2 f_equal.
    destruct (N.testbit d 2); [|reflexivity]. rewrite skipn_before. unfold values_from_1, pairs.
    pose proof (N.div2_odd (h - k)) as O. assert (D : N.div2 (h - k) <= h - k) by
      (destruct (N.odd (h - k)); cbn [N.b2n] in O; lia).
    rewrite sums_of_pairs by lia. apply map_ext. intro a. do 2 f_equal. lia.
  Qed.

  Definition fitting_fast (t : PositiveMap.t N) (up down : list N) (h : N) : bool :=
    let own := look t h in
    let others := gathered (digits_fast t up down h 1 code) in
    negb (has own others) && forallb (fun v => has v others) (below_ own).

  Lemma fitting_fast_same t h : h < enough ->
    fitting_fast t (values_from_1 t) (values_before t (N.to_nat h)) h = fitting t h.
  Proof.
    intro H. unfold fitting_fast, fitting. cbn zeta. rewrite digits_fast_same by exact H.
    rewrite has_gathered. f_equal.
    generalize (below_ (look t h)). intro l. induction l as [|v l IH]; [reflexivity|].
    cbn [forallb]. now rewrite IH, has_gathered.
  Qed.

  (** So many heaps, from h on. *)
  Fixpoint all_fitting (t : PositiveMap.t N) (up : list N) (n : nat) (h : N) (down : list N) :
    bool :=
    match n with
    | O => true
    | S n => fitting_fast t up down h && all_fitting t up n (N.succ h) (look t h :: down)
    end.

  Lemma all_fitting_sound t n : forall h, h + N.of_nat n <= enough ->
    all_fitting t (values_from_1 t) n h (values_before t (N.to_nat h)) = true ->
      forall x, h <= x < h + N.of_nat n -> fitting t x = true.
  Proof.
    induction n as [|n IH]; intros h B A x X; [lia|]. cbn [all_fitting] in A.
    apply andb_true_iff in A as [A1 A2].
    rewrite fitting_fast_same in A1 by lia. destruct (N.eq_dec x h) as [->|D]; [exact A1|].
    apply (IH (N.succ h)); [lia| |lia]. rewrite N2Nat.inj_succ. cbn [values_before].
    now rewrite N2Nat.id.
  Qed.

  Definition repeats : bool :=
    (1 <=? period) && (period <? size) && forallb (fun d => d <? 8) code &&
    let t := table in all_fitting t (values_from_1 t) (N.to_nat enough) 0 [].

  Lemma repeats_periodic : repeats = true -> periodic = true.
  Proof.
    unfold repeats, periodic. rewrite !andb_true_iff. intros [H A]. split; [exact H|].
    apply forallb_forall. intros x X.
    apply in_below_ in X. apply (all_fitting_sound table (N.to_nat enough) 0); [lia|exact A|lia].
  Qed.

  (** Who wins any number of heaps. *)
  Theorem breaking_P_positions :
    repeats = true -> forall p, P_position (breaking code) p <-> nim_sum (map g p) = 0.
  Proof. intro F. exact (sums code g (all_fit (repeats_periodic F))). Qed.
End Period.
