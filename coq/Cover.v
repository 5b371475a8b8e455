(** Every position satisfies the conditions of some part. The data are an automaton that reads a
    digit of each heap in turn, the most significant first; for each part a state to start in, and
    labels: what is known of the part's conditions where the automaton is in a state; and sets of
    states that no digits lead out of.

    A label is a list of clauses, of which one holds; a clause is a list of vectors, for each of
    which there are guesses with which the conditions' forms, on the digits so far, are at most the
    vector. Where numbers may end, a vector of each clause satisfies the conditions. *)

From Coq Require Import List NArith ZArith Lia Bool FMapPositive.
From Bouton Require Import Forms Refute.
Import ListNotations.
Open Scope Z_scope.

(** A condition: a form is at most 0, is divisible by a number, or is not 0. *)
Inductive condition := Bound (f : form) | Divisible (m : positive) (f : form) | Differs (f : form).

Definition form_of (c : condition) : form := match c with Bound f | Divisible _ f | Differs f =>
  f end.

Definition meets (e : env) (c : condition) : Prop :=
  match c with Bound f => fval e f <= 0 | Divisible m f => fval e f mod Zpos m = 0 | Differs f =>
    fval e f <> 0 end.

(** Whether a value is as good as another for the condition, whatever follows; whether it is good if
    numbers end. *)
Definition good_as (c : condition) (x y : Z) : bool :=
  match c with
  | Bound _ => x <=? y
  | Divisible m _ => (x - y) mod Zpos m =? 0
  | Differs f => (x =? y) || ((Z.max (least (fst f)) (1 - snd f) <=? y) && (y <=? x))
                 || ((y <=? Z.min (- most (fst f)) (- 1 - snd f)) && (x <=? y))
  end.
Definition good (c : condition) (x : Z) : bool :=
  match c with Bound f => x + snd f <=? 0 | Divisible m f => (x + snd f) mod Zpos m =? 0 |
    Differs f => negb (x + snd f =? 0) end.

Definition vector := list Z.
Definition clause := list vector.

Definition automaton := PositiveMap.t (positive * positive * bool).

Record part := {
  conditions : list condition;
  guesses : nat;                              (* guessed numbers: the variables after the heaps *)
  start : positive;
  first : list (list N);                      (* guesses for the vectors that hold at the start *)
  labels : PositiveMap.t (list clause)
}.

Section Cover.
  Variable heaps : nat.
  Variable machine : automaton.

  Definition next (s : positive) (digit : bool) : option positive :=
    match PositiveMap.find s machine with
    | Some (a, b, _) => let t := if digit then b else a in match PositiveMap.find t machine with
      Some _ => Some t | None => None end
    | None => None
    end.

  Definition accepts (s : positive) : bool := match PositiveMap.find s machine with Some (_, _, a)
    => a | None => false end.

  (** ** One part *)

  Inductive tree := Leaf (weights : list (list Z)) | Node (zero one : tree).

  (** For each letter, what it adds to the conditions' forms, with any guessed digits. *)
  Fixpoint letter_tree (cs : list condition) (gs : list nat) (i k : nat) (b : nat -> bool) : tree :=
    match k with
    | O => Leaf (map (fun b => map (fun c => weight b (fst (form_of c))) cs) (all_bits gs b))
    | S k => Node (letter_tree cs gs (S i) k (put b i false))
      (letter_tree cs gs (S i) k (put b i true))
    end.

  Fixpoint better (cs : list condition) (v w u : list Z) : bool :=
    match cs, v, w, u with
    | [], [], [], [] => true
    | c :: cs, x :: v, y :: w, z :: u => good_as c (2 * x + y) z && better cs v w u
    | _, _, _, _ => false
    end.

  (** Whether a clause implies another once the digits have been read. *)
  Definition leads_to (cs : list condition) (ws : list (list Z)) (from to : clause) : bool :=
    forallb (fun u => existsb (fun v => existsb (fun w => better cs v w u) ws) from) to.

  Definition label (p : part) (s : positive) : list clause :=
    match PositiveMap.find s (labels p) with Some l => l | None => [] end.

  Fixpoint follow (p : part) (from : clause) (s : positive) (t : tree) : bool :=
    match t with
    | Leaf ws => existsb (leads_to (conditions p) ws from) (label p s)
    | Node zero one =>
      match next s false with None => true | Some s => follow p from s zero end &&
      match next s true with None => true | Some s => follow p from s one end
    end.

  Fixpoint fits (cs : list condition) (v : vector) : bool :=
    match cs, v with
    | [], [] => true
    | c :: cs, x :: v => good c x && fits cs v
    | _, _ => false
    end.

  Definition at_first (n : nat) (g : list N) : env := fun i => if Nat.ltb i n then 0%N else
    nth (i - n) g 0%N.

  Fixpoint reached_by (cs : list condition) (e : env) (v : vector) : bool :=
    match cs, v with
    | [], [] => true
    | c :: cs, x :: v => good_as c (tval e (fst (form_of c))) x && reached_by cs e v
    | _, _ => false
    end.

  Definition part_fine (p : part) : bool :=
    let t := letter_tree (conditions p) (seq heaps (guesses p)) 0 heaps (fun _ => false) in
    existsb (forallb (fun v => existsb (fun g => reached_by (conditions p) (at_first heaps g) v)
      (first p))) (label p (start p)) &&
    forallb (fun sl =>
      forallb (fun c => (negb (accepts (fst sl)) || existsb (fits (conditions p)) c) && follow p c
        (fst sl) t) (snd sl))
      (PositiveMap.elements (labels p)).

  (** ** All parts *)

  Definition step_all (l : list positive) (digit : bool) : list positive :=
    flat_map (fun s => match next s digit with Some t => [t] | None => [] end) l.

  (** Whether all letters lead to states that contain a listed set. *)
  Fixpoint all_letters (check : list positive -> bool) (k : nat) (l : list positive) : bool :=
    match k with
    | O => check l
    | S k => all_letters check k (step_all l false) && all_letters check k (step_all l true)
    end.

  Definition index := PositiveMap.t (list (list positive)).

  Definition to_set (l : list positive) : PositiveMap.t unit :=
    fold_right (fun s m => PositiveMap.add s tt m) (PositiveMap.empty unit) l.

  (** Sets are filed under one of their members. *)
  Definition contains_one (sets : index) (l : list positive) : bool :=
    let m := to_set l in
    existsb (fun s =>
      match PositiveMap.find s sets with
      | Some bs => existsb (fun b => existsb accepts b && forallb (fun s => PositiveMap.mem s m) b)
        bs
      | None => false
      end) l.

  Definition sets_fine (sets : index) (starts : list positive) : bool :=
    contains_one sets starts &&
    forallb (fun sl => forallb (all_letters (contains_one sets) heaps) (snd sl))
      (PositiveMap.elements sets).

  Definition covers (parts : list part) (sets : index) : bool :=
    forallb part_fine parts && sets_fine sets (map start parts).

  (** ** Soundness *)

  Fixpoint read (s : positive) (b : nat -> bool) (i k : nat) : option positive :=
    match k with
    | O => Some s
    | S k => match next s (b i) with Some t => read t b (S i) k | None => None end
    end.

  (** The state after m letters. *)
  Fixpoint run (s : positive) (m : nat) (e : env) : option positive :=
    match m with
    | O => Some s
    | S m => match run s m (half e) with Some t => read t (bits e) 0 heaps | None => None end
    end.

  Fixpoint vector_holds (cs : list condition) (e : env) (v : vector) : Prop :=
    match cs, v with
    | [], [] => True
    | c :: cs, x :: v => good_as c (tval e (fst (form_of c))) x = true /\ vector_holds cs e v
    | _, _ => False
    end.

  Definition clause_holds (p : part) (e : env) (c : clause) : Prop :=
    forall v, In v c -> exists e1, agree heaps e e1 /\ vector_holds (conditions p) e1 v.

  Lemma letter_leaf cs gs b t k i from p s u :
    follow p from s t = true -> conditions p = cs ->
    (exists b0, t = letter_tree cs gs i k b0 /\ forall j, (j < i)%nat -> b0 j = b j) ->
    read s b i k = Some u ->
    exists ws, existsb (leads_to cs ws from) (label p u) = true /\
      forall w, In w ws -> exists b1, (forall j, (j < i + k)%nat -> ~ In j gs -> b1 j = b j) /\
        w = map (fun c => weight b1 (fst (form_of c))) cs.
  Proof.
    revert t i s. induction k as [|k IH]; intros t i s F C (b0 & T & B) R; cbn [letter_tree read] in
      *.
    - injection R as <-. subst t. cbn [follow] in F. rewrite C in F. eexists. split; [exact F|].
      intros w W. apply in_map_iff in W as (b1 & <- & B1). exists b1. split; [|reflexivity].
      intros j Hj N.
      rewrite <- B by lia. clear - B1 N. revert b0 B1.
      induction gs as [|g gs IH]; intros b0; cbn [all_bits].
      + intros [<-|[]]. reflexivity.
      + intro H. assert (J : j <> g) by (intros ->; apply N; now left).
        assert (P : forall x, put b0 g x j = b0 j) by (intro x; unfold put;
          destruct (Nat.eqb_spec j g); [contradiction|reflexivity]).
        apply in_app_or in H as [H|H]; apply IH in H; rewrite ?H, ?P; try reflexivity; intro;
          apply N; now right.
    - subst t. cbn [follow] in F. apply andb_true_iff in F as [F0 F1].
      destruct (next s (b i)) as [s'|] eqn:E; [|discriminate].
      assert (PB : forall x, x = b i -> forall j, (j < S i)%nat -> put b0 i x j = b j).
      { intros x X j Hj. unfold put. destruct (Nat.eqb_spec j i) as [->|]; [exact X|apply B; lia]. }
      replace (i + S k)%nat with (S i + k)%nat by lia.
      destruct (b i) eqn:Bi; rewrite E in *.
      + apply (IH _ (S i) s' F1 C); [|exact R]. eexists. split; [reflexivity|]. intros j Hj.
        apply PB; auto.
      + apply (IH _ (S i) s' F0 C); [|exact R]. eexists. split; [reflexivity|]. intros j Hj.
        apply PB; auto.
  Qed.

  Lemma better_holds cs v b e u :
    vector_holds cs (half e) v -> better cs v (map (fun c => weight b (fst (form_of c))) cs) u =
      true ->
    (forall c, In c cs -> weight b (fst (form_of c)) = weight (bits e) (fst (form_of c))) ->
      vector_holds cs e u.
  Proof.
    revert v u. induction cs as [|c cs IH]; intros [|x v] [|z u]; cbn [vector_holds better map];
      try tauto; try discriminate.
    intros [G H] B W. apply andb_true_iff in B as [B1 B2].
    split; [|apply (IH v u H B2); intros d Hd; apply W; now right].
    rewrite (W c (or_introl eq_refl)) in B1. rewrite (tval_half e).
    destruct c as [f|m f|f]; cbn [good_as form_of] in *.
    - apply Z.leb_le in G, B1. apply Z.leb_le. lia.
    - apply Z.eqb_eq in G, B1. apply Z.eqb_eq. set (y := tval (half e) (fst f)) in *.
      set (w := weight _ _) in *.
      replace (2 * y + w - z) with (2 * (y - x) + (2 * x + w - z)) by lia.
      rewrite Z.add_mod, Z.mul_mod, G, B1 by lia. rewrite Z.mul_0_r. reflexivity.
    - pose proof (weight_bounds (bits e) (fst f)) as WB. set (w := weight _ _) in *.
      set (y := tval _ _) in *.
      rewrite !orb_true_iff, !andb_true_iff, !Z.leb_le, !Z.eqb_eq in *. lia.
  Qed.

  Lemma agree_half n e e' : agree n e e' -> agree n (half e) (half e').
  Proof. intros A i Hi. unfold half. now rewrite (A i Hi). Qed.

  Lemma read_ext s b b' i k : (forall j, (j < i + k)%nat -> b j = b' j) ->
    read s b i k = read s b' i k.
  Proof.
    revert s i. induction k as [|k IH]; intros s i H; [reflexivity|]. cbn [read].
    rewrite (H i) by lia.
    destruct (next s (b' i)); [|reflexivity]. apply IH. intros j Hj. apply H. lia.
  Qed.

  Lemma labelled p s m e :
    part_fine p = true -> (forall i, (i < heaps)%nat -> (e i < 2 ^ N.of_nat m)%N) ->
      run (start p) m e = Some s ->
    exists c, In c (label p s) /\ clause_holds p e c.
  Proof.
    intros F. unfold part_fine in F. apply andb_true_iff in F as [F0 F1]. revert s e.
    induction m as [|m IH]; intros s e S R; cbn [run] in R.
    - injection R as <-. apply existsb_exists in F0 as (c & C & V). exists c. split; [exact C|].
      intros v Hv.
      rewrite forallb_forall in V. specialize (V v Hv). apply existsb_exists in V as (g & _ & G).
      exists (at_first heaps g). split.
      + intros i Hi. unfold at_first. apply Nat.ltb_lt in Hi as Hb. rewrite Hb. specialize (S i Hi).
        cbn in S. lia.
      + clear Hv. revert v G. generalize (conditions p) as cs.
        induction cs as [|d cs IH]; intros [|x v]; cbn; try discriminate; [tauto|].
        rewrite andb_true_iff. intros [G1 G2]. split; [exact G1|]. now apply IH.
    - destruct (run (start p) m (half e)) as [t|] eqn:Rt; [|discriminate].
      destruct (IH t (half e)) as (c & C & H); [|exact Rt|].
      { intros i Hi. specialize (S i Hi). unfold half. rewrite N.div2_div.
        apply N.div_lt_upper_bound; [discriminate|].
        rewrite Nat2N.inj_succ, N.pow_succ_r' in S. lia. }
      assert (Fc : follow p c t (letter_tree (conditions p) (seq heaps (guesses p)) 0 heaps
        (fun _ => false)) = true).
      { unfold label in C. destruct (PositiveMap.find t (labels p)) as [l|] eqn:E; [|destruct C].
        apply PositiveMap.elements_correct in E. rewrite forallb_forall in F1. specialize (F1 _ E).
        cbn [fst snd] in F1.
        rewrite forallb_forall in F1. specialize (F1 c C). apply andb_true_iff in F1 as [_ F1].
        exact F1. }
      destruct (letter_leaf (conditions p) (seq heaps (guesses p)) (bits e) _ heaps 0 c p t s Fc
        eq_refl) as (ws & W & L).
      { eexists. split; [reflexivity|]. intros j Hj. lia. }
      { exact R. }
      apply existsb_exists in W as (d & D & W). exists d. split; [exact D|]. intros u Hu.
      unfold leads_to in W. rewrite forallb_forall in W. specialize (W u Hu).
      apply existsb_exists in W as (v & Hv & W).
      apply existsb_exists in W as (w & Hw & W). destruct (H v Hv) as (e1 & A1 & V1).
      destruct (L w Hw) as (b1 & B1 & ->).
      (* guessed digits after those before *)
      exists (fun i => if Nat.ltb i heaps then e i else (2 * e1 i + N.b2n (b1 i))%N).
      set (e2 := fun i => _).
      assert (A2 : agree heaps e e2).
      { intros i Hi. unfold e2. apply Nat.ltb_lt in Hi as ->. reflexivity. }
      split; [exact A2|].
      assert (Hf : forall i, half e2 i = e1 i /\ bits e2 i = b1 i).
      { intro i. unfold half, bits, e2. destruct (Nat.ltb_spec i heaps) as [Hi|Hi].
        - specialize (A1 i Hi). unfold half in A1. split; [exact A1|]. unfold bits in B1.
          rewrite B1; [reflexivity|lia|].
          rewrite in_seq. lia.
        - split; [|now rewrite N.odd_add_mul_2 ||
            (rewrite <- N.bit0_odd, N.add_comm, N.add_b2n_double_bit0; reflexivity)].
          rewrite N.div2_spec, N.add_comm, N.shiftr_div_pow2. cbn [N.pow Pos.pow Pos.iter].
          rewrite N.mul_comm, N.div_add by discriminate. destruct (b1 i); reflexivity. }
      assert (Ht : forall ts, tval (half e2) ts = tval e1 ts /\ weight b1 ts = weight (bits e2) ts).
      { induction ts as [|[k x] ts [I1 I2]]; [split; reflexivity|]. unfold tval, weight in *.
        cbn [fold_right fst snd].
        rewrite I1, I2, !times_digit_right, (sval_ext (half e2) e1 x) by (intros; apply Hf).
        rewrite (sdigit_ext (bits e2) b1 x) by (intros; apply Hf). split; reflexivity. }
      assert (Hv1 : forall cs v, vector_holds cs e1 v -> vector_holds cs (half e2) v).
      { induction cs as [|dc cs IHc]; intros [|x y]; cbn [vector_holds]; try tauto.
        destruct (Ht (fst (form_of dc))) as [E _].
        rewrite E. intros [G V]. split; [exact G|now apply IHc]. }
      apply (better_holds (conditions p) v b1 e2 u); [now apply Hv1|exact W|intros; apply Ht].
  Qed.

  Lemma all_letters_sound check k l b i :
    all_letters check k l = true ->
    exists l', check l' = true /\ forall t, In t l' -> exists s, In s l /\ read s b i k = Some t.
  Proof.
    revert l i. induction k as [|k IH]; intros l i; cbn [all_letters read].
    - intro C. exists l. split; [exact C|]. intros t Ht. now exists t.
    - rewrite andb_true_iff. intros [H0 H1].
      assert (H : all_letters check k (step_all l (b i)) = true) by (destruct (b i); assumption).
      destruct (IH _ (S i) H) as (l' & C & L). exists l'. split; [exact C|]. intros t Ht.
      destruct (L t Ht) as (s & S & R).
      unfold step_all in S. apply in_flat_map in S as (s0 & S0 & S). exists s0. split; [exact S0|].
      destruct (next s0 (b i)); [|destruct S]. destruct S as [->|[]]. exact R.
  Qed.

  Lemma to_set_in s l : PositiveMap.mem s (to_set l) = true -> In s l.
  Proof.
    induction l as [|t l IH]; cbn [to_set fold_right].
    - rewrite PositiveMap.mem_find, PositiveMap.gempty. discriminate.
    - rewrite PositiveMap.mem_find. destruct (Pos.eq_dec s t) as [->|N]; [now left|].
      rewrite PositiveMap.gso by exact N. intro H. right. apply IH.
      now rewrite PositiveMap.mem_find.
  Qed.

  Lemma contains_one_sound sets l :
    contains_one sets l = true ->
    exists k b, PositiveMap.find k sets <> None /\
      (exists bs, PositiveMap.find k sets = Some bs /\ In b bs) /\
      existsb accepts b = true /\ forall s, In s b -> In s l.
  Proof.
    unfold contains_one. intro H. apply existsb_exists in H as (k & _ & H).
    destruct (PositiveMap.find k sets) as [bs|] eqn:E; [|discriminate].
    apply existsb_exists in H as (b & B & H).
    apply andb_true_iff in H as [A H]. exists k, b. rewrite E.
    repeat split; [discriminate|now exists bs|exact A|].
    rewrite forallb_forall in H. intros s Hs. apply to_set_in, H, Hs.
  Qed.

  Lemma some_set parts sets m e :
    sets_fine sets (map start parts) = true ->
    exists b, (exists k bs, PositiveMap.find k sets = Some bs /\ In b bs) /\
      existsb accepts b = true /\
      forall s, In s b -> exists p, In p parts /\ run (start p) m e = Some s.
  Proof.
    intro F. apply andb_true_iff in F as [F0 F1]. revert e.
    induction m as [|m IH]; intro e; cbn [run].
    - destruct (contains_one_sound _ _ F0) as (k & b & _ & (bs & K & B) & A & H). exists b.
      split; [now exists k, bs|].
      split; [exact A|]. intros s Hs. apply H, in_map_iff in Hs as (p & <- & P). now exists p.
    - destruct (IH (half e)) as (b & (k & bs & K & B) & _ & H).
      apply PositiveMap.elements_correct in K.
      rewrite forallb_forall in F1. specialize (F1 _ K). cbn [snd] in F1.
      rewrite forallb_forall in F1. specialize (F1 b B).
      destruct (all_letters_sound _ _ _ (bits e) 0 F1) as (l' & C & L).
      destruct (contains_one_sound _ _ C) as (k' & b' & _ & (bs' & K' & B') & A' & H'). exists b'.
      split; [now exists k', bs'|].
      split; [exact A'|]. intros s Hs. destruct (L s (H' s Hs)) as (s0 & S0 & R).
      destruct (H s0 S0) as (p & P & Rp).
      exists p. split; [exact P|]. rewrite Rp. exact R.
  Qed.

  Theorem covers_sound parts sets e :
    covers parts sets = true ->
    exists p e1, In p parts /\ agree heaps e e1 /\ forall c, In c (conditions p) -> meets e1 c.
  Proof.
    intro C. apply andb_true_iff in C as [P S]. destruct (all_below e (seq 0 heaps)) as [m M].
    destruct (some_set parts sets m e S) as (b & _ & A & H).
    apply existsb_exists in A as (s & Hs & A).
    destruct (H s Hs) as (p & Hp & R). rewrite forallb_forall in P. specialize (P p Hp).
    destruct (labelled p s m e P) as (c & C & Hc); [intros i Hi; apply M, in_seq; lia|exact R|].
    assert (X : existsb (fits (conditions p)) c = true).
    { unfold part_fine in P. apply andb_true_iff in P as [_ P]. unfold label in C.
      destruct (PositiveMap.find s (labels p)) as [l|] eqn:E; [|destruct C].
      apply PositiveMap.elements_correct in E.
      rewrite forallb_forall in P. specialize (P _ E). cbn [fst snd] in P.
      rewrite forallb_forall in P. specialize (P c C).
      apply andb_true_iff in P as [P _]. rewrite A in P. exact P. }
    apply existsb_exists in X as (v & V & X). destruct (Hc v V) as (e1 & A1 & H1). exists p, e1.
    split; [exact Hp|].
    split; [exact A1|]. clear - X H1. revert v X H1.
    induction (conditions p) as [|d cs IH]; intros [|x v]; cbn [fits vector_holds];
      try discriminate; [intros _ _ c []|]. rewrite andb_true_iff.
      intros [G F] [W H] c [<-|Hc]; [|now apply (IH v)].
    destruct d as [f|k f|f]; cbn [good good_as meets form_of] in *; unfold fval.
    - apply Z.leb_le in G, W. lia.
    - apply Z.eqb_eq in G, W. replace (tval e1 (fst f) + snd f) with
        ((tval e1 (fst f) - x) + (x + snd f)) by lia.
      rewrite Z.add_mod, G, W by lia. reflexivity.
    - apply negb_true_iff, Z.eqb_neq in G. rewrite !orb_true_iff, !andb_true_iff, !Z.leb_le,
        !Z.eqb_eq in W. lia.
  Qed.
End Cover.
