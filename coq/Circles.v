(** Circular Nim for every number of heaps (Heubach and Dufour, Circular Nim games, "The easy cases"
    (2) and (3)): if all n heaps are within reach, only the empty position is P; if all but one are,
    the P-positions are those with equal heaps. *)

From Coq Require Import List Arith NArith Lia.
From Bouton Require Import Positions Outcomes.
Import ListNotations.
Open Scope N_scope.

Definition all_equal (p : position) : Prop := forall i j, (i < length p)%nat ->
  (j < length p)%nat -> heap i p = heap j p.

Lemma tokens_less : forall p q, length q = length p -> (forall i, heap i q <= heap i p) ->
  (exists i, (i < length p)%nat /\ heap i q < heap i p) -> tokens q < tokens p.
Proof.
  assert (Le : forall p q, length q = length p -> (forall i, heap i q <= heap i p) ->
    tokens q <= tokens p).
  { induction p as [|h p IH]; intros [|g q] E H; try discriminate E; [cbn; lia|].
    cbn [tokens fold_right]. pose proof (H 0%nat) as H0.
    unfold heap in H0. cbn [nth] in H0. assert (tokens q <= tokens p) by (apply IH;
      [now injection E|intro i; exact (H (S i))]).
    unfold tokens in *. lia. }
  induction p as [|h p IH]; intros [|g q] E H (i & B & X); try discriminate E; [cbn in B; lia|].
  pose proof (H 0%nat) as H0. unfold heap in H0. cbn [nth] in H0. cbn [tokens fold_right].
  destruct i as [|i].
  - unfold heap in X. cbn [nth] in X. assert (tokens q <= tokens p) by (apply Le;
      [now injection E|intro i; exact (H (S i))]).
    unfold tokens in *. lia.
  - assert (tokens q < tokens p).
    { apply IH; [now injection E|intro j; exact (H (S j))|]. exists i. cbn [length] in B.
      split; [lia|exact X]. }
    unfold tokens in *. lia.
Qed.

Lemma tokens_differ : forall p q, length q = length p -> tokens q < tokens p ->
  exists i, (i < length p)%nat /\ heap i q <> heap i p.
Proof.
  induction p as [|h p IH]; intros [|g q] E H; try discriminate E; [cbn in H; lia|].
  destruct (N.eq_dec g h) as [->|D].
  - destruct (IH q) as (i & B & X); [now injection E|unfold tokens in *; cbn [fold_right] in H;
      lia|]. exists (S i). cbn [length]. split; [lia|exact X].
  - exists 0%nat. cbn [length]. split; [lia|exact D].
Qed.

(** Positions where heap [i] is given. *)
Definition given (n : nat) (f : nat -> N) : position := map f (seq 0 n).

Lemma given_length n f : length (given n f) = n.
Proof. unfold given. now rewrite map_length, seq_length. Qed.

Lemma heap_given n f i : (i < n)%nat -> heap i (given n f) = f i.
Proof.
  intro H. unfold heap, given. rewrite (nth_indep _ 0 (f 0%nat)) by now rewrite map_length,
    seq_length.
  now rewrite map_nth, seq_nth.
Qed.

Lemma heap_beyond p i : (length p <= i)%nat -> heap i p = 0.
Proof. intro H. unfold heap. now apply nth_overflow. Qed.

(** A window of all [n] heaps but the one before [i], and of all. *)
Lemma in_all_but n i : (i < n)%nat -> (0 < n - 1)%nat ->
  exists w, In w (arcs n (n - 1)) /\ (forall j, (j < n)%nat -> j <> Nat.modulo (i + (n - 1)) n ->
    In j w) /\ ~ In (Nat.modulo (i + (n - 1)) n) w.
Proof.
  intros B H. exists (map (fun j => Nat.modulo (i + j) n) (seq 0 (n - 1))). split; [|split].
  - unfold arcs. replace (Nat.ltb (n - 1) n) with true by (symmetry; apply Nat.ltb_lt; lia).
    apply in_map_iff. exists i. split; [reflexivity|].
    apply in_seq. lia.
  - intros j Bj D. apply in_map_iff. exists (if (i <=? j)%nat then (j - i)%nat else
      (j + n - i)%nat).
    destruct (Nat.leb_spec i j) as [C|C]; rewrite in_seq.
    + replace (i + (j - i))%nat with j by lia. rewrite Nat.mod_small by lia. split; [reflexivity|].
      split; [lia|].
      enough (j - i <> n - 1)%nat by lia. intro X. apply D. replace (i + (n - 1))%nat with j by lia.
      now rewrite Nat.mod_small.
    + replace (i + (j + n - i))%nat with (j + 1 * n)%nat by lia.
      rewrite Nat.mod_add, Nat.mod_small by lia. split; [reflexivity|].
      split; [lia|]. enough (j + n - i <> n - 1)%nat by lia. intro X. apply D.
      replace (i + (n - 1))%nat with (j + 1 * n)%nat by lia.
      now rewrite Nat.mod_add, Nat.mod_small by lia.
  - rewrite in_map_iff. intros (j & E & J). apply in_seq in J.
    destruct (le_lt_dec n (i + j)) as [C|C];
      [replace (i + j)%nat with (i + j - n + 1 * n)%nat in E by lia; rewrite Nat.mod_add in
        E by lia|];
    (destruct (le_lt_dec n (i + (n - 1))) as [C'|C'];
      [replace (i + (n - 1))%nat with (i + (n - 1) - n + 1 * n)%nat in E by lia;
        rewrite Nat.mod_add in E by lia|]);
    rewrite !Nat.mod_small in E by lia; lia.
Qed.

(** Each window leaves a heap out. *)
Lemma misses n w : (2 <= n)%nat -> In w (arcs n (n - 1)) -> exists j, (j < n)%nat /\ ~ In j w.
Proof.
  intros H I. unfold arcs in I. replace (Nat.ltb (n - 1) n) with true in
    I by (symmetry; apply Nat.ltb_lt; lia).
  apply in_map_iff in I as (i & <- & I). apply in_seq in I.
  destruct (in_all_but n i) as (w & _ & _ & N); [lia|lia|].
  exists (Nat.modulo (i + (n - 1)) n). split; [apply Nat.mod_upper_bound; lia|]. rewrite in_map_iff.
  intros (j & E & J). apply in_seq in J.
  destruct (le_lt_dec n (i + j)) as [C|C];
    [replace (i + j)%nat with (i + j - n + 1 * n)%nat in E by lia; rewrite Nat.mod_add in
      E by lia|];
  (destruct (le_lt_dec n (i + (n - 1))) as [C'|C'];
    [replace (i + (n - 1))%nat with (i + (n - 1) - n + 1 * n)%nat in E by lia;
      rewrite Nat.mod_add in E by lia|]);
  rewrite !Nat.mod_small in E by lia; lia.
Qed.

Lemma lengths_stay n k p q : length p = n -> circular_nim n k p q -> length q = n.
Proof. intros E (L & _). congruence. Qed.

(** CN(n,n): only 0. *)
Theorem all_heaps n p : (1 <= n)%nat -> length p = n ->
  (P_position (circular_nim n n) p <-> forall i, heap i p = 0).
Proof.
  intro H. revert p. apply (characterised _ (play_ends _ _) (fun p => length p = n));
    [exact (lengths_stay n n)| |].
  - intros p q E C (_ & T & _) _. assert (Z : tokens p = 0); [|lia]. clear -C. unfold tokens.
    induction p as [|h p IH]; [reflexivity|].
    cbn [fold_right]. rewrite IH by (intro i; exact (C (S i))). pose proof (C 0%nat) as C0.
    unfold heap in C0. cbn in C0. lia.
  - intros p E. destruct (N.eq_dec (tokens p) 0) as [Z|Z].
    + left. clear -Z. induction p as [|h p IH]; intro i; [destruct i; reflexivity|].
      unfold tokens in *. cbn [fold_right] in Z.
      destruct i as [|i]; [unfold heap; cbn; lia|]. apply IH. lia.
    + right. exists (given n (fun _ => 0)). split;
        [split; [rewrite given_length; congruence|split]|].
      * assert (T : tokens (given n (fun _ => 0)) = 0); [|lia]. unfold given, tokens.
        induction (seq 0 n) as [|x l IH]; [reflexivity|exact IH].
      * exists (map (fun j => Nat.modulo (0 + j) n) (seq 0 n)). split; [|split; [|split]].
        -- unfold arcs. replace (Nat.ltb n n) with false by (symmetry; apply Nat.ltb_ge; lia).
        now left.
        -- intro i. destruct (le_lt_dec n i); [rewrite heap_beyond by now
          rewrite given_length|rewrite heap_given by assumption]; lia.
        -- intros i N. destruct (le_lt_dec n i) as [B|B].
           ++ rewrite !heap_beyond; [reflexivity|lia|now rewrite given_length].
           ++ destruct N. apply in_map_iff. exists i. rewrite Nat.add_0_l, Nat.mod_small by lia.
           split; [reflexivity|]. apply in_seq. lia.
        -- exact I.
      * intro i. destruct (le_lt_dec n i); [rewrite heap_beyond by now
          rewrite given_length|rewrite heap_given by assumption]; reflexivity.
Qed.

Lemma least_heap p : p <> [] -> exists i, (i < length p)%nat /\ forall j, (j < length p)%nat ->
  heap i p <= heap j p.
Proof.
  induction p as [|h p IH]; [easy|]. intros _. destruct p as [|g p].
  - exists 0%nat. cbn [length]. split; [lia|]. intros j J. replace j with 0%nat by lia. lia.
  - destruct IH as (i & B & M); [easy|]. destruct (N.le_gt_cases h (heap i (g :: p))) as [C|C].
    + exists 0%nat. split; [cbn [length]; lia|]. intros [|j] J; [lia|].
      specialize (M j ltac:(cbn [length] in *; lia)). unfold heap in *. cbn [nth] in *. lia.
    + exists (S i). split; [cbn [length] in *; lia|].
      intros [|j] J; [unfold heap in *; cbn [nth] in *; lia|].
      specialize (M j ltac:(cbn [length] in *; lia)). unfold heap in *. cbn [nth] in *. exact M.
Qed.

(** CN(n,n-1): all equal. *)
Theorem all_heaps_but_one n p : (2 <= n)%nat -> length p = n ->
  (P_position (circular_nim n (n - 1)) p <-> all_equal p).
Proof.
  intro H. revert p. apply (characterised _ (play_ends _ _) (fun p => length p = n));
    [exact (lengths_stay n (n - 1))| |].
  - intros p q E C (Lq & T & w & I & Low & Out & _) C'. destruct (misses n w H I) as (j & J & N).
    specialize (Out j N).
    destruct (tokens_differ p q Lq T) as (i & Bi & D). apply D. rewrite (C i j), <- Out by lia.
    apply C'; lia.
  - intros p E. destruct (least_heap p) as (m & M & Least); [intros ->; cbn in E; lia|].
    rewrite E in *. set (h := heap m p) in *.
    destruct (Nat.eq_dec 0 1) as [|_]; [discriminate|].
    assert (D : (forall j, (j < n)%nat -> heap j p = h) \/ exists j, (j < n)%nat /\ h < heap j p).
    { clear -Least. induction n as [|n IH]; [left; lia|].
      destruct IH as [A|(j & J & X)]; [intros j J; apply Least; lia| |right; exists j; split;
        [lia|exact X]].
      pose proof (Least n ltac:(lia)) as Ln. destruct (N.eq_dec (heap n p) h) as [Eq|Ne].
      - left. intros j J. destruct (Nat.eq_dec j n) as [->|]; [exact Eq|apply A; lia].
      - right. exists n. split; lia. }
    destruct D as [A|D]; [left; intros i j Bi Bj; rewrite !A by lia; reflexivity|right].
    set (i := Nat.modulo (m + 1) n). assert (Hi : (i < n)%nat) by (apply Nat.mod_upper_bound; lia).
    destruct (in_all_but n i Hi) as (w & Iw & Reach & _); [lia|].
    assert (Mi : Nat.modulo (i + (n - 1)) n = m).
    { unfold i. destruct (Nat.eq_dec (m + 1) n) as [X|X].
      - rewrite X, Nat.mod_same, Nat.add_0_l, Nat.mod_small by lia. lia.
      - rewrite (Nat.mod_small (m + 1)) by lia.
        replace (m + 1 + (n - 1))%nat with (m + 1 * n)%nat by lia.
        rewrite Nat.mod_add, Nat.mod_small by lia. reflexivity. }
    rewrite Mi in Reach.
    assert (Low : forall j, heap j (given n (fun _ => h)) <= heap j p).
    { intro j. destruct (le_lt_dec n j); [rewrite heap_beyond by (now rewrite given_length);
        lia|rewrite heap_given by assumption; now apply Least]. }
    exists (given n (fun _ => h)). split; [split; [rewrite given_length; congruence|split]|].
    + apply tokens_less; [rewrite given_length; congruence|exact Low|]. rewrite E.
      destruct D as (j & J & X). exists j. rewrite heap_given by assumption. auto.
    + exists w. split; [exact Iw|split; [exact Low|split; [|exact I]]]. intros j N.
      destruct (le_lt_dec n j) as [B|B].
      * rewrite !heap_beyond; [reflexivity|lia|now rewrite given_length].
      * rewrite heap_given by assumption. destruct (Nat.eq_dec j m) as [->|X]; [reflexivity|].
        destruct N. now apply Reach.
    + intros a b Ba Bb. rewrite given_length in Ba, Bb. now rewrite !heap_given.
Qed.
