(** Heaps and memory: the P-positions of a game in which a move also sets numbers that are no heaps,
    such as what was taken last. The same data as in Games.v, for one window of all numbers and the
    claim as it stands; a memory need not be lowered, and of the option it is shown that a token is
    taken. *)

From Coq Require Import List Arith NArith ZArith Lia Bool Wf_nat.
From Bouton Require Import Positions Forms Refute Formulas Cover Games Outcomes.
Import ListNotations.
Open Scope nat_scope.

Section Memory.
  Variables h n : nat.   (* heaps; all numbers *)
  Variables rule claim : formula.

  Definition rule_says (p q : position) : Prop := fden rule (at_ (p ++ q)).

  Notation move := (remembering h rule_says).

  (** What is taken, and by how much the tokens grow. *)
  Definition sum_of (f : nat -> form) : form :=
    fold_right (fun i s => plus (f i) s) (constant 0) (seq 0 h).
  Definition grown (o : naming) (i : nat) : form := minus (variable (o i)) (variable i).
  Definition taken (o : naming) (i : nat) : form := minus (variable i) (variable (o i)).

  Lemma tokens_of p : h <= length p ->
    Z.of_N (tokens (firstn h p)) = fold_right (fun i a => (Z.of_N (heap i p) + a)%Z) 0%Z (seq 0 h).
  Proof.
    intro L. rewrite (tokens_sum h (firstn h p)) by (rewrite firstn_length; lia).
    assert (E : forall l, (forall i, In i l -> i < h) ->
      fold_right (fun i a => (Z.of_N (heap i (firstn h p)) + a)%Z) 0%Z l = fold_right
        (fun i a => (Z.of_N (heap i p) + a)%Z) 0%Z l).
    { induction l as [|i l IH]; intro B; [reflexivity|]. cbn [fold_right].
      rewrite IH by (intros j J; apply B; now right). f_equal.
      unfold heap. rewrite <- (firstn_skipn h p) at 2. rewrite app_nth1; [reflexivity|].
      rewrite firstn_length. specialize (B i (or_introl eq_refl)). lia. }
    apply E. intros i I. apply in_seq in I. lia.
  Qed.

  Lemma sums e o z p q : h <= n -> stands_for n z e (fun i => i) p -> stands_for n z e o q ->
    fval e (sum_of (grown o)) = (Z.of_N (tokens (firstn h q)) - Z.of_N (tokens (firstn h p)))%Z /\
    fval e (sum_of (taken o)) = (Z.of_N (tokens (firstn h p)) - Z.of_N (tokens (firstn h q)))%Z.
  Proof.
    intros Hn (Lp & _ & Hp) (Lq & _ & Hq). rewrite !tokens_of by lia. unfold sum_of.
    assert (E : forall l, (forall i, In i l -> i < n) ->
      let s x := fold_right (fun i a => (Z.of_N (heap i x) + a)%Z) 0%Z l in
      fval e (fold_right (fun i f => plus (grown o i) f) (constant 0) l) = (s q - s p)%Z /\
      fval e (fold_right (fun i f => plus (taken o i) f) (constant 0) l) = (s p - s q)%Z).
    { induction l as [|i l IH]; intro B; [split; reflexivity|]. cbn [fold_right]. cbv zeta in *.
      destruct IH as [I1 I2]; [intros; apply B; now right|].
      unfold grown, taken in *.
      rewrite !fval_plus, !fval_minus, !fval_variable, I1, I2, (Hq i), (Hp i) by (apply B;
        now left). lia. }
    apply E. intros i I. apply in_seq in I. lia.
  Qed.

  (** ** No move leads from a claimed position to one *)

  Definition after_move : naming := fun i => n + i.

  Definition no_move (certs : list refutation) : bool :=
    let z := n + n in
    let known := plus (constant 1) (sum_of (grown after_move)) :: map (grown after_move) (seq 0 h)
      in
    refute_all known
      (all_alternatives [(in_window n z after_move (seq 0 n), true, rule);
        (in_order n z (fun i => i) (seq 0 n), true, claim);
                         (in_order n z after_move (seq 0 n), true, claim)] (S z)) certs &&
    forallb (bounded (S z)) known.

  Lemma no_move_sound certs p q : h <= n ->
    no_move certs = true -> length p = n -> move p q -> fden claim (at_ p) -> fden claim (at_ q) ->
      False.
  Proof.
    unfold no_move. rewrite andb_true_iff. intros Hn [R B] Lp (Lq & T & Le & Ru) Cp Cq.
    set (known := _ :: _) in *. set (z := n + n) in *.
    set (e := fun i => if Nat.ltb i n then heap i p else heap (i - n) q).
    assert (Z : e z = 0%N).
    { unfold e, z. destruct (Nat.ltb_spec (n + n) n); [lia|]. apply heap_beyond. lia. }
    assert (Sp : stands_for n z e (fun i => i) p).
    { repeat split; try assumption. intros i Hi. unfold e. apply Nat.ltb_lt in Hi as ->.
      reflexivity. }
    assert (Sq : stands_for n z e after_move q).
    { repeat split; try assumption; [congruence|]. intros i Hi. unfold e, after_move.
      destruct (Nat.ltb_spec (n + i) n); [lia|].
      f_equal. lia. }
    destruct (sums e after_move z p q Hn Sp Sq) as [G _].
    apply (refute_said known _ certs (S z) e R B).
    - intros f [<-|Hf]; [rewrite fval_plus, fval_constant, G; lia|].
      apply in_map_iff in Hf as (i & <- & Hi). apply in_seq in Hi.
      destruct Sp as (_ & _ & Hp). destruct Sq as (_ & _ & Hq). unfold grown.
      rewrite fval_minus, !fval_variable, (Hq i), (Hp i) by lia.
      specialize (Le i ltac:(lia)). lia.
    - intros r t f [H|[H|[H|[]]]]; injection H as <- <- <-.
      + apply in_window_below; unfold z, after_move; intros; lia.
      + apply in_order_below; unfold z; intros; lia.
      + apply in_order_below; unfold z, after_move; intros; lia.
    - pose proof (heaps_all n p Lp) as Ep. pose proof (heaps_all n q ltac:(congruence)) as Eq.
      intros x [<-|[<-|[<-|[]]]]; cbn [holds truly].
      + apply (fden_same _ _ _ (in_window_sound n z e after_move (seq 0 n) p q Sp Sq)).
        now rewrite Ep, Eq.
      + apply (fden_same _ _ _ (in_order_sound n z e _ (seq 0 n) p Sp)). now rewrite Ep.
      + apply (fden_same _ _ _ (in_order_sound n z e after_move (seq 0 n) q Sq)). now rewrite Eq.
  Qed.

  (** ** From every other position a move leads to one *)

  Definition goals_of (p : proved_part) (m : nat) : option (list (list form)) :=
    match what p with
    | Move w moved _ =>
      let o := option_of w moved in
      if same_list w (seq 0 n) && Nat.eqb (length moved) n && forallb (fun v => Nat.ltb v m) moved
      then match contraries m (choose (S m) (in_window n m o (seq 0 n)) rule (of_rule p)),
                 contraries m (choose (S m) (in_order n m o (seq 0 n)) claim (of_claim p)) with
           | Some a, Some b =>
             Some (map (fun i => [plus (constant 1) (taken o i)]) (seq 0 h) ++ [sum_of (taken o)] ::
               a ++ b)
           | _, _ => None
           end
      else None
    | Stay _ => contraries m (choose (S m) (in_order n m (fun i => i) (seq 0 n)) claim (of_claim p))
    | Over => None
    | Nowhere => Some [[]]
    end.

  Definition check_part (p : proved_part) : bool :=
    let cs := conditions (covering p) in
    let m := n + guesses (covering p) in
    forallb (fun c => bounded m (form_of c)) cs &&
    match define cs (definitions p) (bounds cs, differences cs, m) with
    | None => false
    | Some k => match goals_of p (snd k) with None => false | Some alts =>
      all_refuted k alts (goals p) end
    end.

  Lemma check_part_sound p pos e : h <= n ->
    check_part p = true -> length pos = n -> agree n (at_ pos) e ->
      (forall c, In c (conditions (covering p)) -> meets e c) ->
    fden claim (at_ pos) \/ exists q, move pos q /\ fden claim (at_ q).
  Proof.
    unfold check_part. rewrite andb_true_iff. intros Hn [Bc H] L A M.
    set (cs := conditions (covering p)) in *.
    set (m := n + guesses (covering p)) in *. rewrite forallb_forall in Bc.
    destruct (define cs (definitions p) (_, differences cs, m)) as [k|] eqn:D; [|discriminate].
    destruct (values_defined n cs (definitions p) [] m k pos e D) as (Lm & T & e2 & K & Sp); auto.
    { lia. }
    { apply below_nil. }
    destruct (goals_of p (snd k)) as [alts|] eqn:G; [|discriminate].
    set (z := snd k) in *. pose proof Sp as (_ & Z2 & Hp).
    assert (R : forall a, In a alts -> forall e', knows e' k -> below e' a -> False).
    { intros a Ha e' K' B. exact (all_refuted_sound k alts (goals p) e' a H K' Ha B). }
    assert (Good : forall r f w l alts', choose (S z) r f w = Some l ->
      contraries z (Some l) = Some alts' ->
      (forall a, In a alts' -> In a alts) -> names_below r (S z) -> fden f (view e2 r)).
    { intros r f w l alts' C E In_alts N.
      apply (contraries_sound z l r f w alts' k e2 C E N T); [unfold z; lia|exact K|].
      intros a Ha. exact (R a (In_alts a Ha)). }
    pose proof (heaps_all n pos L) as Ep. unfold goals_of in G.
    destruct (what p) as [w moved t|s| |].
    - destruct (_ && _ && _) eqn:F; [|discriminate]. rewrite !andb_true_iff in F.
      destruct F as [[Fw Fl] Fm].
      apply same_list_eq in Fw as ->. set (o := option_of (seq 0 n) moved) in *.
      destruct (choose (S z) (in_window n z o (seq 0 n)) rule (of_rule p)) as [lr|] eqn:Cr;
        [|discriminate].
      destruct (choose (S z) (in_order n z o (seq 0 n)) claim (of_claim p)) as [lc|] eqn:Cc;
        [|destruct (contraries z (Some lr)); discriminate].
      destruct (contraries z (Some lr)) as [ar|] eqn:Er; [|discriminate].
      destruct (contraries z (Some lc)) as [ac|] eqn:Ec; [|discriminate].
      injection G as <-.
      assert (Ob : forall i, i < n -> o i < S z).
      { intros i Hi. enough (o i < z) by lia. apply place_below; [unfold z; lia|exact Fm]. }
      set (q := position_of n e2 o).
      assert (Lq : length q = n) by (unfold q, position_of; now rewrite map_length, seq_length).
      assert (Sq : stands_for n z e2 o q).
      { repeat split; [exact Lq|exact Z2|]. intros i Hi. unfold q. rewrite heap_position_of.
        apply Nat.ltb_lt in Hi as ->. reflexivity. }
      pose proof (heaps_all n q Lq) as Eq. destruct (sums e2 o z pos q Hn Sp Sq) as [_ S].
      right. exists q. split; [split; [congruence|split; [|split]]|].
      + destruct (N.lt_ge_cases (tokens (firstn h q)) (tokens (firstn h pos))) as [X|X];
          [exact X|exfalso].
        apply (R [sum_of (taken o)]) with (e' := e2); [apply in_or_app; right; now left|exact K|].
        intros f [<-|[]]. rewrite S. lia.
      + intros i Hi. destruct Sq as (_ & _ & Hq). rewrite <- (Hq i), <- (Hp i) by lia.
        destruct (N.le_gt_cases (e2 (o i)) (e2 i)) as [X|X]; [exact X|exfalso].
        apply (R [plus (constant 1) (taken o i)]) with (e' := e2); [|exact K|].
        * apply in_or_app. left. apply (in_map (fun i => [plus (constant 1) (taken o i)])).
          apply in_seq. lia.
        * intros f [<-|[]]. unfold taken.
          rewrite fval_plus, fval_minus, fval_constant, !fval_variable. lia.
      + unfold rule_says. rewrite <- Ep at 1. rewrite <- Eq at 1.
        apply (fden_same _ _ _ (in_window_sound n z e2 o (seq 0 n) pos q Sp Sq)).
        apply (Good _ _ _ _ _ Cr Er).
        * intros a Ha. apply in_or_app. right. right. apply in_or_app. now left.
        * apply in_window_below; [lia|unfold z; lia|exact Ob].
      + rewrite <- Eq. apply (fden_same _ _ _ (in_order_sound n z e2 o (seq 0 n) q Sq)).
        apply (Good _ _ _ _ _ Cc Ec).
        * intros a Ha. apply in_or_app. right. right. apply in_or_app. now right.
        * apply in_order_below; [lia|exact Ob].
    - destruct (choose (S z) (in_order n z (fun i => i) (seq 0 n)) claim (of_claim p)) as [lc|]
        eqn:Cc; [|discriminate].
      left. rewrite <- Ep. apply (fden_same _ _ _ (in_order_sound n z e2 _ (seq 0 n) pos Sp)).
      apply (Good _ _ _ _ _ Cc G); [auto|].
      apply in_order_below; [lia|]. intros i Hi. unfold z. lia.
    - discriminate.
    - injection G as <-. destruct (R [] (or_introl eq_refl) e2 K (below_nil _)).
  Qed.

  (** ** The theorem *)

  Definition remembers (d : data) : bool :=
    Nat.leb h n && match cases (inside d) with [certs] => no_move certs | _ => false end &&
    forallb check_part (parts d) && covers n (machine d) (map covering (parts d)) (sets d).

  Lemma memory_ends : well_founded (fun q p => move p q).
  Proof.
    intro p. induction p as [p IH] using (well_founded_induction
      (well_founded_ltof _ (fun p => N.to_nat (tokens (firstn h p))))).
    constructor. intros q (_ & less & _). apply IH. unfold ltof. lia.
  Qed.

  Theorem memory_P_positions d : remembers d = true -> forall p, length p = n ->
    (P_position move p <-> fden claim (at_ p)).
  Proof.
    unfold remembers. rewrite !andb_true_iff. intros [[[Hn Never] Parts] Covers].
    apply Nat.leb_le in Hn.
    destruct (cases (inside d)) as [|certs [|? ?]]; try discriminate.
    apply (characterised move memory_ends (fun p => length p = n)).
    - intros p q L (Lq & _). congruence.
    - intros p q L Cp M Cq. exact (no_move_sound certs p q Hn Never L M Cp Cq).
    - intros p L. destruct (covers_sound n (machine d) (map covering (parts d)) (sets d) (at_ p)
        Covers) as (c & e & Hc & G & M).
      apply in_map_iff in Hc as (x & <- & Hx). rewrite forallb_forall in Parts.
      exact (check_part_sound x p e Hn (Parts x Hx) L G M).
  Qed.
End Memory.
