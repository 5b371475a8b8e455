(** The checker as a program: what it reads, what it answers, and that its answer is true.

    [verify] reads numbers, a statement and then its proof. Where it answers with a statement,
    [holds] of it is a theorem: [verified]. Extract.v makes a program of [verify]. To know what the
    program says, read Positions.v, the meaning of formulas ([tden] and [fden] in Formulas.v) and of
    v in NIM with Cash ([claims_win], [value] and [worth] in CashWindows.v, [words_value] in
    CashWords.v), the first parts of Families.v and of Zeckendorf.v, [reached] in Orbit.v, and the
    definitions up to [holds] here. *)

From Coq Require Import List Arith NArith ZArith Lia Bool FMapPositive.
From Bouton Require Import Positions Forms Refute Formulas Cover Games Closing Breaking Data.
From Bouton Require Automatic Zeckendorf KotzigWords KotzigLaps CashWindows CashWords Memory Stuck
  Families Orbit.
Import ListNotations.
Open Scope nat_scope.

(** * Statements *)

(** Which heaps a move may lower: neighbours on a circle, any so many, or those of a list. *)
Inductive reach_of_moves :=
| Neighbours (k : nat)
| Any_of_them (k : nat)
| One_of (windows : list (list nat)).

Definition windows_of (n : nat) (r : reach_of_moves) : list (list nat) :=
  match r with
  | Neighbours k => arcs n k
  | Any_of_them k => choices k (seq 0 n)
  | One_of windows => windows
  end.

(** In which orders of the heaps the formula is read. *)
Inductive reading :=
| As_it_stands
| Turned_and_reflected
| In_any_order.

Inductive statement :=
(** n heaps in their places: the reach of moves; what else holds of a window's heaps before a move
    (the first variables of [rule]) and after it (those that follow); the claim. *)
| On_heaps (misere : bool) (n : nat) (reach : reach_of_moves) (rule : formula) (how : reading)
  (claim : formula)
(** Shrinking circles of up to [most] heaps, up to k neighbours at a time: the claims by numbers of
    heaps, from 0 on. *)
| On_circles (misere : bool) (k most : nat) (claims : list formula)
(** Taking and breaking: the digits of the code after the point; nim-values have the period from
    [from] on; the first nim-values, of which the last [period] repeat. *)
| On_breaking (code : list N) (period from : N) (first : list N)
(** Kotzig's Nim with these steps, a negative one anticlockwise: the claim is one on the number of
    cells, its variable 0. *)
| On_kotzig (misere : bool) (steps : list Z) (claim : formula)
(** The same on n cells: who wins one position, the cell of its token and those that are marked. *)
| On_kotzig_position (misere : bool) (steps : list Z) (n : nat) (p : list nat) (mover_wins : bool)
(** NIM with Cash: the amounts that may be taken, the least of them, and v for each c = d + e + 1 -
    n and n. *)
| On_cash (amounts : list nat) (least : nat) (v : CashWords.values)
(** So many heaps, and numbers in all, those behind the heaps being set by a move; what else holds
    of the numbers before a move and after it; the claim. *)
| On_memory (misere : bool) (heaps numbers : nat) (rule claim : formula)
(** Heaps in their places as above, in normal play: the claim is an automaton that reads the digits
    of the heaps to base b. *)
| On_digits (n : nat) (reach : reach_of_moves) (rule : formula) (b : N) (rows : list (list N))
(** The same in the digits of Zeckendorf. *)
| On_zeckendorf (n : nat) (reach : reach_of_moves) (rule : formula) (rows : list (list N))
(** A game with parameters, for all their values that satisfy a condition. *)
| On_parameters (g : Families.theorem)
(** One heap, in normal play: P-positions are 0 and what the step leads to from there, again and
    again; the step is one from variable 0. *)
| On_orbit (reach : reach_of_moves) (rule : formula) (step : term).

(** What a formula says of heaps: its variable i is heap i. *)
Definition says (f : formula) (p : position) : Prop := fden f (fun i => heap i p).

(** Who is to move loses. *)
Definition lost {state} (misere : bool) (move : state -> state -> Prop) (p : state) : Prop :=
  if misere then misere_P move p else P_position move p.

(** Who is to move wins. *)
Definition won {state} (misere : bool) (move : state -> state -> Prop) (p : state) : Prop :=
  if misere then misere_N move p else N_position move p.

Definition claimed_in (how : reading) (n : nat) (claim : position -> Prop) (p : position) : Prop :=
  match how with
  | As_it_stands => claim p
  | Turned_and_reflected => up_to (dihedral n) claim p
  | In_any_order => up_to (orders n) claim p
  end.

(** The nim-value of a heap: no option has it, and there are options with all that are less. *)
Definition nim_value_of (code : list N) (g : N -> N) (h : N) : Prop :=
  (forall o, breaks code h o -> nim_sum (map g o) <> g h) /\
  (forall v, (v < g h)%N -> exists o, breaks code h o /\ nim_sum (map g o) = v).

Definition holds (s : statement) : Prop :=
  match s with
  | On_heaps misere n reach rule how claim =>
      forall p, length p = n ->
      (lost misere (moves (windows_of n reach) (fun before after => says rule (before ++ after))) p
        <->
       claimed_in how n (says claim) p)
  | On_circles misere k most claims =>
      forall p, (length p <= most)%nat -> (forall h, In h p -> h <> 0%N) ->
      (lost misere (closing_circle k) p <->
       up_to (dihedral (length p)) (says (nth (length p) claims (Known false))) p)
  | On_breaking code period from first =>
      let g := repeated period first in
      (forall h, nim_value_of code g h) /\
      (forall h, (from <= h)%N -> g (h + period)%N = g h) /\
      (forall p, P_position (breaking code) p <-> nim_sum (map g p) = 0%N)
  | On_kotzig misere steps claim =>
      forall n, 0 < n -> (lost misere (kotzig (clockwise n steps) n) [0] <->
        says claim [N.of_nat n])
  | On_kotzig_position misere steps n p mover_wins =>
      (if mover_wins then won else lost) misere (kotzig (clockwise n steps) n) p
  | On_cash amounts least v =>
      forall n d e, N_position (pays amounts) (n, d, e) <-> CashWindows.claims_win
        least (CashWords.value_by amounts v) n d e
  | On_memory misere heaps numbers rule claim =>
      forall p, length p = numbers ->
      (lost misere (remembering heaps (fun before after => says rule (before ++ after))) p <->
        says claim p)
  | On_digits n reach rule b rows =>
      (forall p, length p = n -> exists t, Automatic.are_columns b n t /\
        Automatic.read_heaps b n t = p) /\
      (forall t, Automatic.are_columns b n t ->
        (P_position (moves (windows_of n reach) (fun before after => says rule (before ++ after)))
          (Automatic.read_heaps b n t) <->
         Automatic.accepted b rows t))
  | On_zeckendorf n reach rule rows =>
      (forall p, length p = n ->
        exists t, Zeckendorf.are_columns n t /\ Zeckendorf.read_heaps n t = p) /\
      (forall t, Zeckendorf.are_columns n t ->
        (P_position (moves (windows_of n reach) (fun before after => says rule (before ++ after)))
           (Zeckendorf.read_heaps n t) <->
         Automatic.accepted 2 rows t))
  | On_parameters g => Families.holds g
  | On_orbit reach rule step =>
      forall a,
      let move := moves (windows_of 1 reach) (fun before after => says rule (before ++ after)) in
      P_position move [a] <-> exists k, a = Orbit.reached step k
  end.

(** * Reading *)

Fixpoint term_reader (fuel : nat) (l : list N) : term * list N :=
  match fuel with
  | O => (Number 0, l)
  | S fuel =>
    let (tag, l) := number l in
    let two (make : term -> term -> term) (l : list N) :=
      let (a, l) := term_reader fuel l in let (b, l) := term_reader fuel l in (make a b, l) in
    let by_number (make : term -> N -> term) (l : list N) :=
      let (k, l) := number l in let (a, l) := term_reader fuel l in (make a k, l) in
    match tag with
    | 0 => map_reader Number number l
    | 1 => map_reader Heap natural l
    | 2 => two Plus l
    | 3 => by_number (fun a k => Times k a) l
    | 4 => two Xor l
    | 5 => two Least l
    | 6 => two Greatest l
    | 7 => by_number Quotient l
    | 8 => by_number Remainder l
    | _ => let (k, l) := number l in map_reader (Digit_sum k) naturals l
    end
  end%N.

Fixpoint formula_reader (fuel : nat) (l : list N) : formula * list N :=
  match fuel with
  | O => (Known false, l)
  | S fuel =>
    let (tag, l) := number l in
    let terms (make : term -> term -> formula) (l : list N) :=
      let (a, l) := term_reader 1000 l in let (b, l) := term_reader 1000 l in (make a b, l) in
    let two (make : formula -> formula -> formula) (l : list N) :=
      let (f, l) := formula_reader fuel l in let (g, l) := formula_reader fuel l in (make f g, l) in
    match tag with
    | 0 => (Known false, l)
    | 1 => (Known true, l)
    | 2 => terms Equal l
    | 3 => terms AtMost l
    | 4 => terms Less l
    | 5 => map_reader Not (formula_reader fuel) l
    | 6 => two And l
    | 7 => two Or l
    | _ => let (i, l) := natural l in map_reader (Exists i) (formula_reader fuel) l
    end
  end%N.

Definition whole_formula : reader formula := formula_reader 1000.

Definition flag : reader bool := map_reader (fun x => negb (N.eqb x 0)) number.

Definition reach_reader : reader reach_of_moves := fun l =>
  let (tag, l) := number l in
  match tag with
  | 0 => map_reader Neighbours natural l
  | 1 => map_reader Any_of_them natural l
  | _ => map_reader One_of (list_reader naturals) l
  end%N.

Definition how_reader : reader reading :=
  map_reader (fun x => match x with 0 => As_it_stands | 1 => Turned_and_reflected | _ =>
    In_any_order end%N) number.

Definition window_reader : reader CashWindows.window := fun l =>
  let (p, l) := natural l in let (q, l) := integer l in let (n, l) := natural l in let (c, l) :=
    integer l in
  let (lines, l) := list_reader (pair_reader flag integer) l in
  let (rows, l) := list_reader (pair_reader natural (list_reader integer)) l in
  ({| CashWindows.period_n := p; CashWindows.period_c := q; CashWindows.from_n := n;
    CashWindows.from_c := c;
      CashWindows.lines := lines; CashWindows.rows := rows |}, l).

(** A step up, or one down. *)
Definition way_reader : reader Z := map_reader (fun up => if up : bool then 1%Z else (-1)%Z) flag.

Definition path_reader : reader CashWords.path := fun l =>
  let (v, l) := integer l in let (last, l) := way_reader l in
  let (pieces, l) := list_reader (pair_reader (list_reader way_reader)
    (pair_reader integer integer)) l in
  ({| CashWords.start_value := v; CashWords.last_step := last; CashWords.pieces := pieces |}, l).

Definition values_reader : reader CashWords.values := fun l =>
  let (tag, l) := number l in
  match tag with
  | 0%N => map_reader CashWords.By_window window_reader l
  | _ =>
    let (k, l) := natural l in let (paths, l) := list_reader path_reader l in
    (CashWords.By_words {| CashWords.paths := paths; CashWords.first_k := k |}, l)
  end.

Definition statement_reader : reader statement := fun l =>
  let (tag, l) := number l in
  match tag with
  | 0 =>
    let (misere, l) := flag l in let (n, l) := natural l in let (reach, l) := reach_reader l in
    let (rule, l) := whole_formula l in let (how, l) := how_reader l in let (claim, l) :=
      whole_formula l in
    (On_heaps misere n reach rule how claim, l)
  | 1 =>
    let (misere, l) := flag l in let (k, l) := natural l in let (most, l) := natural l in
    let (claims, l) := list_reader whole_formula l in
    (On_circles misere k most claims, l)
  | 2 =>
    let (code, l) := list_reader number l in let (period, l) := number l in let (from, l) :=
      number l in
    let (first, l) := list_reader number l in
    (On_breaking code period from first, l)
  | 3 =>
    let (misere, l) := flag l in let (steps, l) := list_reader integer l in let (claim, l) :=
      whole_formula l in
    (On_kotzig misere steps claim, l)
  | 7 =>
    let (amounts, l) := naturals l in let (least, l) := natural l in let (v, l) :=
      values_reader l in
    (On_cash amounts least v, l)
  | 8 =>
    let (misere, l) := flag l in let (heaps, l) := natural l in let (numbers, l) := natural l in
    let (rule, l) := whole_formula l in let (claim, l) := whole_formula l in
    (On_memory misere heaps numbers rule claim, l)
  | 9 =>
    let (n, l) := natural l in let (reach, l) := reach_reader l in let (rule, l) :=
      whole_formula l in
    let (b, l) := number l in let (rows, l) := list_reader (list_reader number) l in
    (On_digits n reach rule b rows, l)
  | 10 =>
    let (n, l) := natural l in let (reach, l) := reach_reader l in
    let (rule, l) := whole_formula l in
    let (rows, l) := list_reader (list_reader number) l in
    (On_zeckendorf n reach rule rows, l)
  | _ =>
    let (misere, l) := flag l in let (steps, l) := list_reader integer l in let (n, l) :=
      natural l in
    let (p, l) := naturals l in let (mover_wins, l) := flag l in
    (On_kotzig_position misere steps n p mover_wins, l)
  end%N.

(** The states of an automaton from this one on. *)
Fixpoint states_reader (k : nat) (s : positive) (d : KotzigWords.automaton) (l : list N) :
  KotzigWords.automaton * list N :=
  match k with
  | O => (d, l)
  | S k =>
    let (zero, l) := state l in let (one, l) := state l in let (m, l) := number l in
    let m := match m with 0 => KotzigWords.Silent | 1 => KotzigWords.Lost | _ =>
      KotzigWords.Won end%N in
    states_reader k (Pos.succ s) (PositiveMap.add s (zero, one, m) d) l
  end.

Definition class_reader : reader KotzigWords.class := fun l =>
  let (first, l) := number l in let (loses, l) := flag l in let (k, l) := natural l in
  let (d, l) := states_reader k 1 (PositiveMap.empty _) l in
  ({| KotzigWords.first_number := first; KotzigWords.first_loses := loses; KotzigWords.machine :=
    d |}, l).

(** * Verifying *)

Definition images_of (n : nat) (how : reading) : list (list nat) :=
  match how with
  | As_it_stands => [seq 0 n]
  | Turned_and_reflected => dihedral n
  | In_any_order => orders n
  end.

(** Nothing is computed of more heaps than letters. *)
Definition few (n : nat) : bool := Nat.leb n 26.

Definition modest (n : nat) (reach : reach_of_moves) (how : reading) : bool :=
  few n && match reach with Neighbours k | Any_of_them k => few k | One_of _ => true end &&
  match how with In_any_order => Nat.leb n 8 | _ => true end.

Definition from_here (period from : N) (first : list N) : bool :=
  let e := (N.of_nat (length first) - period)%N in
  forallb (fun h => N.eqb (repeated period first (h + period)) (repeated period first h))%N
    (map N.of_nat (seq (N.to_nat (N.min from e)) (N.to_nat (e - from)))).

(** Whether the proof that follows is one of the statement, and what follows it. *)
Definition proof_of (s : statement) (l : list N) : bool * list N :=
  match s with
  | On_heaps misere n reach rule how claim =>
    let (d, l) := data_reader l in
    let (e, l) := refutations l in
    (modest n reach how &&
     (if misere then stays_misere n (windows_of n reach) rule claim (images_of n how) d e
      else stays n (windows_of n reach) rule claim (images_of n how) d), l)
  | On_circles misere k most claims =>
    let (ds, l) := times_reader (if few most then most else 0) (pair_reader data_reader refutations)
      l in
    (few k && Nat.ltb 0 k && closes k (fun m => nth m claims (Known false)) most misere
      (map fst ds), l)
  | On_breaking code period from first =>
    (repeats code period first && from_here period from first, l)
  | On_kotzig misere steps claim =>
    let (way, l) := number l in
    match way with
    | 0 => let (classes, l) := list_reader class_reader l in
      (KotzigWords.fine_circles misere steps claim classes, l)
    | _ => let (laps, l) := KotzigLaps.laps_reader l in
      (KotzigLaps.proved_by_laps misere steps claim laps, l)
    end%N
  | On_kotzig_position misere steps n p mover_wins =>
    let (b, l) := list_reader (pair_reader naturals integer) l in
    (Nat.leb n 256 && match KotzigWords.replayed misere steps n b p with Some w =>
      eqb w mover_wins | None => false end, l)
  | On_cash amounts least v => (CashWords.values_fit amounts least v, l)
  | On_memory misere heaps numbers rule claim =>
    let (d, l) := data_reader l in
    let (_, l) := refutations l in
    (negb misere && few numbers && Memory.remembers heaps numbers rule claim d, l)
  | On_digits _ _ _ _ _ | On_zeckendorf _ _ _ _ | On_parameters _ | On_orbit _ _ _ => (false, l)
  end.

Definition rows_reader : reader (list (list N)) := list_reader (list_reader number).

(** The same of a proof by automata: of moves, by the length of a window; and the sets of ways. *)
Definition moved_reader : reader (list (nat * list (list N))) :=
  list_reader (pair_reader natural rows_reader).
Definition ways_reader : reader (list Automatic.ways_set) :=
  list_reader (pair_reader state (list_reader (pair_reader natural (pair_reader state state)))).
Definition zeckendorf_ways_reader : reader (list Zeckendorf.ways_set) :=
  list_reader (pair_reader (pair_reader state number)
    (list_reader (pair_reader natural (pair_reader state state)))).

Definition proof_by_automata (s : statement) (l : list N) : bool * list N :=
  match s with
  | On_heaps misere n reach rule how claim =>
    (* of the claimed positions; and of the claim as it stands, or nothing where they are the
      same *)
    let (b, l) := number l in let (rows, l) := rows_reader l in let (own, l) := rows_reader l in
    let (moved, l) := moved_reader l in let (sets, l) := ways_reader l in
    (negb misere && Nat.leb n 14 && modest n reach how &&
     Automatic.fine b n (windows_of n reach) rule rows moved sets &&
     Automatic.unites b n (Automatic.machine_of rows) (Automatic.machine_of match own with [] =>
       rows | _ => own end) claim
       (images_of n how), l)
  | On_digits n reach rule b rows =>
    let (moved, l) := moved_reader l in let (sets, l) := ways_reader l in
    (Nat.leb n 14 && modest n reach As_it_stands && Automatic.fine b n (windows_of n reach) rule
      rows moved sets, l)
  | On_zeckendorf n reach rule rows =>
    let (moved, l) := moved_reader l in let (sets, l) := zeckendorf_ways_reader l in
    (Nat.leb n 14 && modest n reach As_it_stands && Zeckendorf.fine n (windows_of n reach) rule
      rows moved sets, l)
  | _ => (false, l)
  end.

(** The same of a proof about misere play in which players may be stuck: where they are, and data
    on the game in normal play that Stuck.v makes of it. *)
Definition proof_where_stuck (s : statement) (l : list N) : bool * list N :=
  let (stuck, l) := whole_formula l in let (d, l) := data_reader l in let (_, l) := refutations l in
  match s with
  | On_heaps misere n reach rule As_it_stands claim =>
    (misere && few (S n) && modest n reach As_it_stands &&
     match windows_of n reach with [w] => same_list w (seq 0 n) | _ => false end &&
     Stuck.remembers_stuck n n rule claim stuck d, l)
  | On_memory misere heaps numbers rule claim =>
    (misere && few (S numbers) && Stuck.remembers_stuck heaps numbers rule claim stuck d, l)
  | _ => (false, l)
  end.

(** The statement that was verified: it and its proof are all that is read. A number before it says
    what kind of proof follows: 99 one by automata, 97 one about misere play in which players may be
    stuck. *)
Definition verify (l : list N) : option statement :=
  let (proof, l) :=
    match l with
    | 99 :: l => (proof_by_automata, l)
    | 97 :: l => (proof_where_stuck, l)
    | _ => (proof_of, l)
    end%N in
  let (s, l) := statement_reader l in
  let (good, l) := proof s l in
  match l with
  | [] => if good then Some s else None
  | _ :: _ => None
  end.

(** * Soundness *)

Lemma repeated_again period first h :
  (1 <= period)%N -> (period < N.of_nat (length first))%N ->
    (N.of_nat (length first) - period <= h)%N ->
  repeated period first (h + period) = repeated period first h.
Proof.
  intros P1 P2 H. unfold repeated. set (e := (N.of_nat (length first) - period)%N) in *.
  destruct (N.ltb_spec (h + period) e) as [X|_]; [lia|]. destruct (N.ltb_spec h e) as [X|_]; [lia|].
  replace (h + period - e)%N with (h - e + 1 * period)%N by lia. now rewrite N.mod_add by lia.
Qed.

Lemma dihedral_length n s p : In s (dihedral n) -> length (heaps s p) = n.
Proof.
  unfold dihedral, heaps. rewrite map_length. intro H.
  apply in_app_or in H as [H|H]; apply in_map_iff in H as (a & <- & H).
  - now rewrite map_length, seq_length.
  - apply in_map_iff in H as (b & <- & _). now rewrite rev_length, map_length, seq_length.
Qed.

Lemma proof_of_sound s l : fst (proof_of s l) = true -> holds s.
Proof.
  destruct s as [misere n reach rule how claim|misere k most claims|code period from first|misere
    steps claim|misere steps n p mover_wins
    |amounts least v|misere heaps numbers rule claim|n reach rule b rows|n reach rule rows|g|reach
      rule step];
      cbn [proof_of holds].
  - destruct (data_reader l) as [d l1]. destruct (refutations l1) as [e l2]. cbn [fst].
    rewrite andb_true_iff. intros [_ A] p L.
    set (move := moves (windows_of n reach) (fun before after => says rule (before ++ after))).
    assert (R : forall w p q, In w (windows_of n reach) ->
      (says rule (heaps w p ++ heaps w q) <-> fden rule (at_ (heaps w p ++ heaps w q)))) by (intros;
        apply iff_refl).
    assert (C : forall p, length p = n -> (says claim p <-> fden claim (at_ p))) by (intros;
      apply iff_refl).
    assert (T : lost misere move p <-> up_to (images_of n how) (says claim) p).
    { destruct misere; cbn [lost].
      - exact (misere_P_positions n (windows_of n reach) (fun before after =>
          says rule (before ++ after)) rule (says claim) claim
          (images_of n how) R C d e A p L).
      - exact (P_positions n (windows_of n reach) (fun before after => says rule (before ++ after))
          rule (says claim) claim
          (images_of n how) R C d A p L). }
    rewrite T. destruct how; cbn [images_of claimed_in];
      [now apply up_to_one|apply iff_refl|apply iff_refl].
  - destruct (times_reader _ _ l) as [ds l1]. cbn [fst]. rewrite !andb_true_iff.
    intros [[_ K] A] p L F. apply Nat.ltb_lt in K.
    set (formulas := fun m => nth m claims (Known false)) in *.
    assert (C : forall p, length p <= most ->
      (says (formulas (length p)) p <-> fden (formulas (length p)) (at_ p)))
      by (intros; apply iff_refl).
    assert (T : lost misere (closing_circle k) p <->
      up_to (dihedral (length p)) (fun q => says (formulas (length q)) q) p).
    { destruct misere; cbn [lost].
      - exact (closing_misere_P_positions k (fun q => says (formulas (length q)) q) formulas most C
          _ K A p L F).
      - exact (closing_P_positions k (fun q => says (formulas (length q)) q) formulas most C _ A p L
          F). }
    rewrite T. unfold up_to. split; intros (s & S & H); exists s; (split; [exact S|]).
    + now rewrite (dihedral_length _ _ p S) in H.
    + now rewrite (dihedral_length _ _ p S).
  - cbn [fst]. rewrite andb_true_iff. intros [A' B].
    pose proof (repeats_periodic code period first A') as A. set (g := repeated period first).
    split; [exact (all_fit code period first A)|].
    split; [|exact (breaking_P_positions code period first A')].
    destruct (fine_parts code period first A) as (P1 & P2 & _). intros h H.
    destruct (N.le_gt_cases (N.of_nat (length first) - period) h) as [X|X];
      [now apply repeated_again|].
    unfold from_here in B. rewrite forallb_forall in B. specialize (B h).
    apply N.eqb_eq, B. apply in_map_iff. exists (N.to_nat h). split; [lia|]. apply in_seq. lia.
  - destruct (number l) as [[|way] l1].
    + destruct (list_reader class_reader l1) as [classes l2]. cbn [fst].
      exact (KotzigWords.circles_right misere steps claim classes).
    + destruct (KotzigLaps.laps_reader l1) as [laps l2]. cbn [fst].
      exact (KotzigLaps.proved_by_laps_right misere steps claim laps).
  - destruct (list_reader _ l) as [b l1]. cbn [fst]. rewrite andb_true_iff. intros [_ A].
    destruct (KotzigWords.replayed misere steps n b p) as [w|] eqn:R; [|discriminate].
    apply eqb_prop in A as <-.
    apply KotzigWords.replayed_right in R. now destruct w.
  - cbn [fst]. exact (CashWords.values_right amounts least v).
  - destruct (data_reader l) as [d l1]. destruct (refutations l1) as [e l2]. cbn [fst].
    rewrite !andb_true_iff, negb_true_iff. intros [[-> _] A].
    exact (Memory.memory_P_positions heaps numbers rule claim d A).
  - discriminate.
  - discriminate.
  - discriminate.
  - discriminate.
Qed.

Lemma proof_by_automata_sound s l : fst (proof_by_automata s l) = true -> holds s.
Proof.
  destruct s as [misere n reach rule how claim| | | | | | |n reach rule b rows|n reach rule rows|
    |];
    cbn [proof_by_automata holds]; try discriminate.
  - destruct (number l) as [b l1]. destruct (rows_reader l1) as [rows l2].
    destruct (rows_reader l2) as [own l3].
    destruct (moved_reader l3) as [moved l4]. destruct (ways_reader l4) as [sets l5]. cbn [fst].
    rewrite !andb_true_iff.
    intros [[[[M _] _] F] U] p L. destruct misere; [discriminate|]. cbn [lost].
    pose proof (Automatic.fine_says b n (windows_of n reach) rule rows moved sets _ claim
      (images_of n how) F U p L) as T.
    etransitivity; [exact T|]. destruct how; cbn [images_of claimed_in];
      [now apply up_to_one|apply iff_refl|apply iff_refl].
  - destruct (moved_reader l) as [moved l1]. destruct (ways_reader l1) as [sets l2]. cbn [fst].
    rewrite !andb_true_iff. intros [_ F]. split.
    + apply Automatic.every_position_read. now apply Automatic.fine_base in F.
    + exact (Automatic.fine_reads b n (windows_of n reach) rule rows moved sets F).
  - destruct (moved_reader l) as [moved l1]. destruct (zeckendorf_ways_reader l1) as [sets l2].
    cbn [fst].
    rewrite !andb_true_iff. intros [_ F]. split.
    + exact (Zeckendorf.every_position_read n).
    + exact (Zeckendorf.fine_reads n (windows_of n reach) rule rows moved sets F).
Qed.

Lemma proof_where_stuck_sound s l : fst (proof_where_stuck s l) = true -> holds s.
Proof.
  unfold proof_where_stuck. destruct (whole_formula l) as [stuck l1].
  destruct (data_reader l1) as [d l2].
  destruct (refutations l2) as [e l3].
  destruct s as [misere n reach rule [| |] claim| | | | | |misere heaps numbers rule claim| | | |];
    cbn [fst holds]; try discriminate.
  - rewrite !andb_true_iff. intros [[[[-> _] _] W] A] p L. cbn [lost claimed_in].
    destruct (windows_of n reach) as [|w [|? ?]]; try discriminate. apply same_list_eq in W as ->.
    etransitivity; [exact (Stuck.all_heaps_remembered n (Memory.rule_says rule) p L)|].
    exact (Stuck.stuck_P_positions n n rule claim stuck d A p L).
  - rewrite !andb_true_iff. intros [[-> _] A] p L.
    exact (Stuck.stuck_P_positions heaps numbers rule claim stuck d A p L).
Qed.

(** Whatever the numbers are: a statement that is the answer is true. *)
Theorem verified l s : verify l = Some s -> holds s.
Proof.
  unfold verify. match goal with |- context [let (proof, l) := ?x in _] => set (kind := x) end.
  assert (K : fst kind = proof_of \/ fst kind = proof_by_automata \/ fst kind = proof_where_stuck).
  { subst kind. repeat match goal with |- context [match ?x with _ => _ end] =>
    destruct x; auto end. }
  destruct kind as [proof l0]. cbn [fst] in K. destruct (statement_reader l0) as [s' l1].
  destruct (proof s' l1) as [good l2] eqn:E. destruct l2; [|discriminate].
  destruct good; [|discriminate].
  intro X. injection X as <-. assert (F : fst (proof s' l1) = true) by now rewrite E.
  destruct K as [->|[->| ->]].
  - exact (proof_of_sound s' l1 F).
  - exact (proof_by_automata_sound s' l1 F).
  - exact (proof_where_stuck_sound s' l1 F).
Qed.

Print Assumptions verified.
