(** Forms that cannot all be at most 0: the data are sums of them, with multipliers that are not
    negative, rounded where all coefficients have a common divisor (Chvátal 1973); then either a sum
    is positive whatever the variables are, or a walk through all digits (Büchi 1960) finds no
    numbers for which some of them are at most 0.

    In the walk a state has for each form a value that the form on the digits so far is at least. If
    the value has come to where digits that follow cannot bring it down, the state is dead; if to
    where they cannot bring it up, it is forgotten. Which sums to take and which to walk with has no
    bearing on soundness. *)

From Coq Require Import List NArith ZArith Lia Bool FMapPositive.
From Bouton Require Import Forms.
Import ListNotations.
Open Scope Z_scope.

(** * Sums *)

Inductive step :=
| Sum (multipliers : list (N * nat)) (divisor : Z)  (* of forms by their place *)
| Natural (s : summand).                            (* a summand is at least 0 *)

Definition divided (d : Z) (f : form) : form :=
  if (1 <? d) && forallb (fun t => fst t mod d =? 0) (fst f)
  then (map (fun t => (fst t / d, snd t)) (fst f), - ((- snd f) / d)) else f.

Definition apply_step (fs : list form) (s : step) : form :=
  match s with
  | Sum l d => divided d (fold_right (fun m g =>
    add_times (Z.of_N (fst m)) (nth (snd m) fs (constant 0)) g) (constant 0) l)
  | Natural s => ([(-1, s)], 0)
  end.

Definition derive (steps : list step) (fs : list form) : list form :=
  fold_left (fun fs s => fs ++ [apply_step fs s]) steps fs.

Lemma divided_sound d f e : fval e f <= 0 -> fval e (divided d f) <= 0.
Proof.
  unfold divided. destruct ((1 <? d) && _) eqn:E; [|tauto]. apply andb_true_iff in E as [D M].
  apply Z.ltb_lt in D.
  unfold fval. cbn [fst snd].
  assert (T : tval e (fst f) = d * tval e (map (fun t => (fst t / d, snd t)) (fst f))).
  { revert M. generalize (fst f). induction t as [|[c vs] ts IH]; [cbn; lia|].
    cbn [forallb map fst snd].
    rewrite andb_true_iff. intros [H1 H2]. rewrite !tval_cons, IH by assumption.
    apply Z.eqb_eq in H1.
    pose proof (Z.div_mod c d ltac:(lia)) as E. rewrite H1 in E. rewrite E at 1. ring. }
  rewrite T. set (t := tval e _). intro H. assert (t <= (- snd f) / d); [|lia].
  apply Z.div_le_lower_bound; lia.
Qed.

Lemma apply_step_sound e fs s : below e fs -> fval e (apply_step fs s) <= 0.
Proof.
  intro B. destruct s as [l d|s].
  - apply divided_sound. induction l as [|[k i] l IH]; [cbn; lia|]. cbn [fold_right].
    rewrite fval_add_times. cbn [fst snd].
    assert (fval e (nth i fs (constant 0)) <= 0); [|nia].
    destruct (nth_in_or_default i fs (constant 0)) as [H| ->]; [now apply B|cbn; lia].
  - unfold apply_step, fval. cbn [fst snd]. rewrite tval_cons. change (tval e []) with 0. lia.
Qed.

Lemma derive_sound e steps fs : below e fs -> below e (derive steps fs).
Proof.
  revert fs. induction steps as [|s r IH]; intros fs B; [exact B|]. apply IH. apply below_app.
  split; [exact B|].
  intros f [<-|[]]. now apply apply_step_sound.
Qed.

(** Forms that are positive whatever the variables are. *)
Definition positive_form (f : form) : bool := (0 <? snd f) && forallb (fun t => 0 <=? fst t)
  (fst f).

Lemma positive_form_sound e f : positive_form f = true -> 0 < fval e f.
Proof.
  unfold positive_form, fval. rewrite andb_true_iff, Z.ltb_lt. intros [K T].
  enough (0 <= tval e (fst f)) by lia.
  revert T. generalize (fst f). induction t as [|[c vs] ts IH]; [cbn; lia|]. cbn [forallb fst].
  rewrite andb_true_iff, Z.leb_le, tval_cons. intros [H1 H2]. specialize (IH H2). nia.
Qed.

(** * The walk *)

Section Walk.
  Variable fs : list form.           (* at most 0 *)
  Variable xs : list summand.        (* those that are 0 *)

  (** The greatest digit of a summand. *)
  Definition top (s : summand) : Z :=
    match s with
    | Nim_sum _ => 1
    | Sum_mod 0 vs => Z.of_nat (length vs)
    | Sum_mod m _ => Z.of_N (m - 1)
    end.

  Lemma sdigit_top b s : sdigit b s <= top s.
  Proof.
    destruct s as [vs|m vs]; cbn [sdigit top]; [destruct (xbit b vs); lia|]. destruct m as [|m].
    - replace (count b vs mod 0)%N with (count b vs) by (now destruct (count b vs)).
      induction vs as [|v vs IH]; [cbn; lia|]. cbn [count fold_right length]. fold (count b vs).
      destruct (b v); cbn [N.b2n]; lia.
    - pose proof (N.mod_lt (count b vs) (N.pos m) ltac:(discriminate)). lia.
  Qed.

  Definition most (ts : terms) : Z :=
    fold_right (fun t a => Z.max 0 (fst t) * top (snd t) + a) 0 ts.
  Definition least (ts : terms) : Z :=
    fold_right (fun t a => Z.max 0 (- fst t) * top (snd t) + a) 0 ts.

  Lemma weight_bounds b ts : - least ts <= weight b ts <= most ts.
  Proof.
    induction ts as [|[c s] ts IH]; [cbn; lia|]. unfold weight, least, most in *.
    cbn [fold_right fst snd].
    rewrite times_digit_right. pose proof (sdigit_natural b s). pose proof (sdigit_top b s). nia.
  Qed.

  (** For each form, up to where it is forgotten and from where on it is dead. *)
  Definition limit (f : form) : Z * Z := (Z.min (- most (fst f)) (- snd f), Z.max (least (fst f))
    (1 - snd f)).
  Definition limits : list (Z * Z) := map limit fs.

  Fixpoint advance (ls : list (Z * Z)) (s w : list Z) : option (list Z) :=
    match ls, s, w with
    | (lo, hi) :: ls, v :: s, x :: w =>
      if v <=? lo then match advance ls s w with Some r => Some (lo :: r) | None => None end
      else let v := 2 * v + x in
        if hi <=? v then None
        else match advance ls s w with Some r => Some ((if v <=? lo then lo else v) :: r) | None =>
          None end
    | _, _, _ => Some []
    end.

  Fixpoint key (ls : list (Z * Z)) (s : list Z) : Z :=
    match ls, s with
    | (lo, hi) :: ls, v :: s => (v - lo) + (hi - lo + 1) * key ls s
    | _, _ => 1
    end.

  Fixpoint same_state (s t : list Z) : bool :=
    match s, t with
    | [], [] => true
    | v :: s, x :: t => (v =? x) && same_state s t
    | _, _ => false
    end.

  Fixpoint ends (ls : list (Z * Z)) (gs : list form) (s : list Z) : bool :=
    match ls, gs, s with
    | (lo, _) :: ls, g :: gs, v :: s => ((v <=? lo) || (v + snd g <=? 0)) && ends ls gs s
    | _, _, _ => true
    end.

  Definition states := PositiveMap.t (list Z).

  Fixpoint visit (letters : list (list Z)) (s : list Z) (open : list (list Z)) (seen : states)
    : option (list (list Z) * states) :=
    match letters with
    | [] => Some (open, seen)
    | w :: r =>
      match advance limits s w with
      | None => visit r s open seen
      | Some t =>
        let k := Z.to_pos (key limits t) in
        match PositiveMap.find k seen with
        | Some u => if same_state t u then visit r s open seen else None
        | None => visit r s (t :: open) (PositiveMap.add k t seen)
        end
      end
    end.

  Fixpoint explore (fuel : nat) (letters : list (list Z)) (open : list (list Z)) (seen : states) :
    bool :=
    match fuel with
    | O => false
    | S fuel =>
      match open with
      | [] => true
      | s :: open =>
        if ends limits fs s then false
        else match visit letters s open seen with
             | None => false
             | Some (open, seen) => explore fuel letters open seen
             end
      end
    end.

  (** All digits of some variables. *)
  Definition put (b : nat -> bool) (v : nat) (x : bool) : nat -> bool := fun i =>
    if Nat.eqb i v then x else b i.

  Fixpoint all_bits (vs : list nat) (b : nat -> bool) : list (nat -> bool) :=
    match vs with
    | [] => [b]
    | v :: r => all_bits r (put b v false) ++ all_bits r (put b v true)
    end.

  Definition variables_in (f : form) : list nat := flat_map (fun t => variables_of (snd t)) (fst f).
  Definition variables : list nat :=
    nodup Nat.eq_dec (flat_map variables_in fs ++ flat_map variables_of xs).

  Definition letters : list (list Z) :=
    map (fun b => map (fun f => weight b (fst f)) fs)
      (filter (fun b => forallb (fun x => sdigit b x =? 0) xs)
        (all_bits variables (fun _ => false))).

  Definition walk (fuel : nat) : bool :=
    let init := map (fun l => if 0 <=? fst l then fst l else 0) limits in
    explore fuel letters [init] (PositiveMap.add (Z.to_pos (key limits init)) init
      (PositiveMap.empty _)).

  (** ** Soundness *)

  Definition member (s : list Z) (m : states) : Prop := PositiveMap.find (Z.to_pos (key limits s)) m
    = Some s.

  Lemma same_state_eq s t : same_state s t = true -> s = t.
  Proof.
    revert t. induction s as [|v s IH]; intros [|x t]; cbn; try discriminate; [reflexivity|].
    rewrite andb_true_iff, Z.eqb_eq. intros [-> H]. f_equal. auto.
  Qed.

  Definition fine (ws : list (list Z)) (s : list Z) (m : states) : Prop :=
    forall w t, In w ws -> advance limits s w = Some t -> member t m.

  Lemma visit_sound ws s open seen open' seen' :
    visit ws s open seen = Some (open', seen') ->
    (forall t, member t seen -> member t seen') /\ (forall t, In t open -> In t open') /\
    (forall t, member t seen' -> member t seen \/ In t open') /\ fine ws s seen'.
  Proof.
    revert open seen. induction ws as [|w r IH]; intros open seen; cbn [visit].
    - intros [= -> ->]. repeat split; auto. intros w t [].
    - destruct (advance limits s w) as [t|] eqn:A.
      + destruct (PositiveMap.find _ seen) as [u|] eqn:F.
        * destruct (same_state t u) eqn:E; [|discriminate]. apply same_state_eq in E as <-. intro V.
          destruct (IH _ _ V) as (H1 & H2 & H3 & H4). repeat split; auto.
          intros w' t' [<-|Hw] A'; [|now apply (H4 w')].
          rewrite A in A'. injection A' as <-. now apply H1.
        * intro V. destruct (IH _ _ V) as (H1 & H2 & H3 & H4).
          assert (M : member t (PositiveMap.add (Z.to_pos (key limits t)) t seen))
            by (unfold member; apply PositiveMap.gss).
          assert (K : forall t', member t' seen ->
            member t' (PositiveMap.add (Z.to_pos (key limits t)) t seen)).
          { intros t' Ht. unfold member in *. rewrite PositiveMap.gso; [exact Ht|]. intro E.
            rewrite E in Ht. congruence. }
          repeat split.
          -- intros t' Ht. apply H1, K, Ht.
          -- intros t' Ht. apply H2. now right.
          -- intros t' Ht. destruct (H3 t' Ht) as [Hm|Ho]; [|now right].
             unfold member in Hm. destruct (Pos.eq_dec (Z.to_pos (key limits t'))
               (Z.to_pos (key limits t))) as [E|E].
             ++ rewrite E, PositiveMap.gss in Hm. injection Hm as <-. right. apply H2. now left.
             ++ rewrite PositiveMap.gso in Hm by assumption. now left.
          -- intros w' t' [<-|Hw] A'; [|now apply (H4 w')]. rewrite A in A'. injection A' as <-.
          now apply H1.
      + intro V. destruct (IH _ _ V) as (H1 & H2 & H3 & H4). repeat split; auto.
        intros w' t' [<-|Hw] A'; [congruence|now apply (H4 w')].
  Qed.

  Definition closed (ws : list (list Z)) (open : list (list Z)) (m : states) : Prop :=
    forall s, member s m -> In s open \/ (ends limits fs s = false /\ fine ws s m).

  Lemma explore_sound fuel ws open seen :
    explore fuel ws open seen = true -> closed ws open seen ->
    exists m, (forall s, member s seen -> member s m) /\ closed ws [] m.
  Proof.
    revert open seen. induction fuel as [|fuel IH]; intros open seen; cbn [explore];
      [discriminate|].
    destruct open as [|s open]; [intros _ C; exists seen; split; [tauto|exact C]|].
    destruct (ends limits fs s) eqn:E; [discriminate|].
    destruct (visit ws s open seen) as [[open' seen']|] eqn:V; [|discriminate].
    intros X C. destruct (visit_sound _ _ _ _ _ _ V) as (H1 & H2 & H3 & H4).
    destruct (IH _ _ X) as (m & M1 & M2).
    - intros t Ht. destruct (H3 t Ht) as [Hm|Ho]; [|now left].
      destruct (C t Hm) as [[<-|Ho]|[E' F]].
      + right. split; assumption.
      + left. now apply H2.
      + right. split; [assumption|]. intros w u Hw A. apply H1. now apply (F w).
    - exists m. split; [|exact M2]. intros t Ht. now apply M1, H1.
  Qed.

  Fixpoint within (gs : list form) (s : list Z) (e : env) : Prop :=
    match gs, s with
    | g :: gs, v :: s => (v <= fst (limit g) \/ v <= tval e (fst g)) /\ within gs s e
    | [], [] => True
    | _, _ => False
    end.

  Definition alive (gs : list form) (e : env) : Prop := forall g, In g gs ->
    tval e (fst g) < snd (limit g).

  Lemma alive_half gs e : alive gs e -> alive gs (half e).
  Proof.
    intros A g Hg. specialize (A g Hg). rewrite (tval_half e) in A.
    pose proof (weight_bounds (bits e) (fst g)).
    unfold limit in *. cbn [snd] in *. lia.
  Qed.

  Lemma advance_within b gs s e :
    within gs s (half e) -> alive gs e -> (forall f, In f gs ->
      weight b (fst f) = weight (bits e) (fst f)) ->
    exists t, advance (map limit gs) s (map (fun f => weight b (fst f)) gs) = Some t /\ within
      gs t e.
  Proof.
    revert s. induction gs as [|g gs IH]; intros [|v s]; cbn [within]; try tauto; [now exists []|].
    intros [D W] A L. destruct (IH s W) as (t & T1 & T2);
      [intros f Hf; apply A; now right|intros f Hf; apply L; now right|].
    pose proof (A g (or_introl eq_refl)) as Ag. rewrite (tval_half e) in Ag.
    cbn [map advance]. destruct (limit g) as [lo hi] eqn:Lg. rewrite T1. cbn [fst snd] in *.
    rewrite (L g (or_introl eq_refl)). set (x := weight _ _) in *.
    pose proof (tval_half e (fst g)) as Eg. fold x in Eg.
    destruct (Z.leb_spec v lo).
    - exists (lo :: t). split; [reflexivity|]. split; [lia|exact T2].
    - destruct (Z.leb_spec hi (2 * v + x)); [lia|].
      exists ((if 2 * v + x <=? lo then lo else 2 * v + x) :: t). split; [reflexivity|].
      split; [|exact T2].
      destruct (Z.leb_spec (2 * v + x) lo); lia.
  Qed.

  Lemma ends_within gs s e : within gs s e -> below e gs -> ends (map limit gs) gs s = true.
  Proof.
    revert s. induction gs as [|g gs IH]; intros [|v s]; cbn [within]; try tauto. intros [D W] B.
    apply below_cons in B as [B1 B2]. unfold fval in B1. cbn [map ends].
    destruct (limit g) as [lo hi]. cbn [fst] in D.
    rewrite (IH s W B2), andb_true_r, orb_true_iff, !Z.leb_le. lia.
  Qed.

  Lemma all_bits_complete vs b t :
    (forall i, ~ In i vs -> t i = b i) -> exists c, In c (all_bits vs b) /\ forall i, c i = t i.
  Proof.
    revert b. induction vs as [|v r IH]; intros b H; cbn [all_bits].
    - exists b. split; [now left|]. intro i. symmetry. apply H. intros [].
    - destruct (IH (put b v (t v))) as (c & C1 & C2).
      + intros i Hi. unfold put. destruct (Nat.eqb_spec i v) as [->|N]; [reflexivity|]. apply H.
        intros [->|?]; tauto.
      + exists c. split; [|assumption]. apply in_or_app. destruct (t v); [now right|now left].
  Qed.

  Lemma weight_ext b c ts : (forall t v, In t ts -> In v (variables_of (snd t)) -> b v = c v)
    -> weight b ts = weight c ts.
  Proof.
    induction ts as [|[k s] ts IH]; intro H; [reflexivity|]. unfold weight in *.
    cbn [fold_right fst snd].
    rewrite IH by (intros t v Ht; apply H; now right). rewrite !times_digit_right.
    now rewrite (sdigit_ext b c) by (intros v; apply (H (k, s)); now left).
  Qed.

  Definition vanish (e : env) : Prop := forall x, In x xs -> sval e x = 0%N.

  Lemma vanish_half e : vanish e -> vanish (half e) /\ forall x, In x xs -> sdigit (bits e) x = 0.
  Proof.
    intro V. split; intros x Hx; pose proof (sval_half e x) as E;
      pose proof (sdigit_natural (bits e) x); rewrite (V x Hx) in E; lia.
  Qed.

  Lemma of_form f t v : In f fs -> In t (fst f) -> In v (variables_of (snd t)) -> In v variables.
  Proof.
    intros F T V. apply nodup_In, in_or_app. left. apply in_flat_map. exists f. split; [exact F|].
    apply in_flat_map. now exists t.
  Qed.

  Lemma of_zero x v : In x xs -> In v (variables_of x) -> In v variables.
  Proof.
    intros X V. apply nodup_In, in_or_app. right. apply in_flat_map. now exists x.
  Qed.

  Lemma letter_of e :
    vanish e -> exists b, In (map (fun f : form => weight b (fst f)) fs) letters /\
      forall f, In f fs -> weight b (fst f) = weight (bits e) (fst f).
  Proof.
    intro V. destruct (all_bits_complete variables (fun _ => false)
      (fun i => if in_dec Nat.eq_dec i variables then bits e i else false)) as (b & B1 & B2).
    { intros i Hi. destruct (in_dec _ i variables); [contradiction|reflexivity]. }
    assert (In_variables : forall i, In i variables -> b i = bits e i).
    { intros i Hi. rewrite B2. destruct (in_dec _ i variables); [reflexivity|contradiction]. }
    assert (W : forall f, In f fs -> weight b (fst f) = weight (bits e) (fst f)).
    { intros f Hf. apply weight_ext. intros t v Ht Hv.
      exact (In_variables v (of_form f t v Hf Ht Hv)). }
    exists b. split; [|exact W]. unfold letters.
    apply (in_map (fun b => map (fun f : form => weight b (fst f)) fs)). apply filter_In.
    split; [exact B1|]. apply forallb_forall. intros x Hx. destruct (vanish_half e V) as [_ Z].
    rewrite (sdigit_ext b (bits e)), (Z x Hx); [reflexivity|]. intros v Hv. apply In_variables.
    exact (of_zero x v Hx Hv).
  Qed.

  Lemma tval_zero e ts : (forall i, e i = 0%N) -> tval e ts = 0.
  Proof.
    intro Z. assert (X : forall s, sval e s = 0%N).
    { intros [vs|m vs].
      - induction vs as [|v vs IH]; [reflexivity|]. cbn [sval] in *. now rewrite xsum_cons, Z, IH.
      - cbn [sval]. rewrite (digit_sum_places m _ 0); [reflexivity|]. intros x X.
        apply in_map_iff in X as (v & <- & _). rewrite Z. reflexivity. }
    induction ts as [|[c s] ts IH]; [reflexivity|]. rewrite tval_cons, X, IH. cbn. lia.
  Qed.

  Lemma reached m (M : states) : member (map (fun l => if 0 <=? fst l then fst l else 0) limits)
    M -> closed letters [] M ->
    forall e, (forall i, (e i < 2 ^ N.of_nat m)%N) -> vanish e -> alive fs e ->
      exists s, member s M /\ within fs s e.
  Proof.
    intros I C. induction m as [|m IH]; intros e S V A.
    - eexists. split; [exact I|]. assert (Z : forall i, e i = 0%N) by (intro i; specialize (S i);
        cbn in S; lia).
      unfold limits. clear - Z. induction fs as [|g gs IH]; [exact Logic.I|]. cbn [map within].
      rewrite (tval_zero e _ Z). split; [|exact IH]. destruct (Z.leb_spec 0 (fst (limit g))); lia.
    - destruct (IH (half e)) as (s & S1 & S2).
      + intro i. specialize (S i). unfold half. rewrite N.div2_div.
        apply N.div_lt_upper_bound; [discriminate|].
        rewrite Nat2N.inj_succ, N.pow_succ_r' in S. lia.
      + apply vanish_half, V.
      + apply alive_half, A.
      + destruct (C s S1) as [[]|[_ F]]. destruct (letter_of e V) as (b & B1 & B2).
        destruct (advance_within b fs s e S2 A B2) as (t & T1 & T2). exists t. split; [|exact T2].
        now apply (F _ t B1).
  Qed.

  Lemma walk_bounded fuel e m : walk fuel = true -> (forall i, (e i < 2 ^ N.of_nat m)%N) ->
    vanish e -> below e fs -> False.
  Proof.
    intros W S V B. unfold walk in W. set (init := map _ limits) in W.
    apply explore_sound in W as (M & M1 & M2).
    - destruct (reached m M) with (e := e) as (s & S1 & S2); try assumption.
      + apply M1. unfold member. apply PositiveMap.gss.
      + intros g Hg. specialize (B g Hg). unfold fval in B. unfold limit. cbn [snd]. lia.
      + destruct (M2 s S1) as [[]|[E _]]. unfold limits in E.
        rewrite (ends_within fs s e S2 B) in E. discriminate.
    - intros s Hs. left. unfold member in Hs.
      destruct (Pos.eq_dec (Z.to_pos (key limits s)) (Z.to_pos (key limits init))) as [E|E].
      + rewrite E, PositiveMap.gss in Hs. injection Hs as <-. now left.
      + rewrite PositiveMap.gso, PositiveMap.gempty in Hs by assumption. discriminate.
  Qed.

  Lemma forms_ext e e' : (forall i, In i variables -> e i = e' i) -> (vanish e -> vanish e') /\
    (below e fs -> below e' fs).
  Proof.
    intro H. assert (X : forall s, (forall v, In v (variables_of s) -> In v variables)
      -> sval e' s = sval e s).
    { intros s Hv. apply sval_ext. intros v V. symmetry. apply H, Hv, V. }
    split.
    - intros V x Hx. rewrite X; [now apply V|]. intros v. now apply of_zero.
    - intros B f Hf. specialize (B f Hf). unfold fval in *.
      enough (tval e' (fst f) = tval e (fst f)) as -> by exact B.
      pose proof (fun t v Ht => of_form f t v Hf Ht) as T. revert T. generalize (fst f).
      induction t as [|[c s] ts IH]; intro T; [reflexivity|].
      rewrite !tval_cons, IH by (intros t v Ht; apply (T t v); now right).
      rewrite X; [reflexivity|]. intro v. apply (T (c, s)). now left.
  Qed.

  Theorem walk_sound fuel e : walk fuel = true -> vanish e -> below e fs -> False.
  Proof.
    intros W V B. set (e' := fun i => if in_dec Nat.eq_dec i variables then e i else 0%N).
    destruct (forms_ext e e') as [V' B'].
    { intros i Hi. unfold e'. destruct (in_dec _ i variables); [reflexivity|contradiction]. }
    destruct (all_below e variables) as [m S]. apply (walk_bounded fuel e' m W); auto.
    intro i. unfold e'. destruct (in_dec _ i variables) as [Hi|_]; [now apply S|].
    assert (2 ^ N.of_nat m <> 0)%N by (apply N.pow_nonzero; discriminate). lia.
  Qed.
End Walk.

(** * Refutations *)

Record refutation := { steps : list step; walked : list nat; zeros : list nat; fuel : nat }.

(** The summand that is 0 where the form is at most 0. *)
Definition vanishing (f : form) : option summand :=
  match f with
  | ([(c, s)], k) => if (0 <? c) && (0 <=? k) then Some s else None
  | _ => None
  end.

Definition sums_to_zero (fs : list form) (places : list nat) : list summand :=
  flat_map (fun i =>
    match vanishing (nth i fs (constant 0)) with Some s => [s] | None => [] end) places.

(** Whether the data show that the forms cannot all be at most 0. *)
Definition refutes (r : refutation) (fs : list form) : bool :=
  let all := derive (steps r) fs in
  existsb positive_form all ||
  match fuel r with
  | O => false
  | n => walk (map (fun i => nth i all (constant 0)) (walked r)) (sums_to_zero all (zeros r)) n
  end.

Lemma below_nth e fs i : below e fs -> fval e (nth i fs (constant 0)) <= 0.
Proof. intro B. destruct (nth_in_or_default i fs (constant 0)) as [H| ->]; [now apply B|cbn; lia].
Qed.

Theorem refutes_sound r fs e : refutes r fs = true -> below e fs -> False.
Proof.
  unfold refutes. intros R B. apply (derive_sound e (steps r)) in B. set (all := derive _ _) in *.
  apply orb_true_iff in R as [P|W].
  - apply existsb_exists in P as (f & F1 & F2). apply (positive_form_sound e) in F2.
    specialize (B f F1). lia.
  - destruct (fuel r) as [|n]; [discriminate|]. apply (walk_sound _ _ _ e W).
    + intros vs H. unfold sums_to_zero in H. apply in_flat_map in H as (i & _ & H).
      pose proof (below_nth e all i B) as F. destruct (nth i all (constant 0)) as
        [[|[c ws] [|? ?]] k]; cbn [vanishing] in H;
        try contradiction. destruct ((0 <? c) && (0 <=? k)) eqn:E; [|contradiction].
        destruct H as [<-|[]].
      apply andb_true_iff in E as [E1 E2]. apply Z.ltb_lt in E1. apply Z.leb_le in E2.
      unfold fval in F. cbn [fst snd] in F. rewrite tval_cons in F. change (tval e []) with 0 in F.
      nia.
    + intros f Hf. apply in_map_iff in Hf as (i & <- & _). now apply below_nth.
Qed.
