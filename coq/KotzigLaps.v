(** Kotzig's Nim on circles of every length, lap by lap, where all steps go forwards.

    The cells are 0 to n - 1. A lap begins as the token comes to one of the first cells, and ends as
    a step leads past the last one. A position of a lap is x, the cells up to the token's as they
    are, and y, those ahead of it, which the lap has not changed yet. For each lap there are three
    automata: of the tapes that may be there as the lap begins; of x, whose state names the one in
    which a third goes on with y and says who wins; and where the second has read a whole tape, as
    the lap leaves it, it says of each of the first cells what the next lap says of the token there.
    What is checked: these automata agree, and what is said of a position is right if it is right of
    the options. Each check is a walk through the tuples of states in which automata read the same
    tape: the set of tuples that a search finds is looked at again, so that nothing has to be known
    of the search. Short circles are searched. *)

From Coq Require Import List Arith NArith ZArith Lia Bool FMapPositive Wf_nat.
From Bouton Require Import Positions Outcomes Formulas KotzigWords Data.
Import ListNotations.
Open Scope nat_scope.

(** * What can be reached *)

(** Whether something holds of all that a map has. *)
Fixpoint all_of {A} (f : A -> bool) (m : PositiveMap.t A) : bool :=
  match m with
  | PositiveMap.Leaf _ => true
  | PositiveMap.Node l x r => match x with Some a => f a | None =>
    true end && all_of f l && all_of f r
  end.

Lemma all_of_find {A} (f : A -> bool) k : forall m a, all_of f m = true ->
  PositiveMap.find k m = Some a -> f a = true.
Proof.
  induction k as [k IH|k IH|]; intros [|l x r] a; cbn [all_of PositiveMap.find]; try discriminate;
    rewrite !andb_true_iff; intros [[X L] R] F.
  - exact (IH r a R F).
  - exact (IH l a L F).
  - now subst x.
Qed.

Section Reached.
  Context {node : Type}.
  Variable same : node -> node -> bool.
  Hypothesis same_eq : forall y z, same y z = true -> y = z.
  Variable hash : node -> positive.
  Variable nexts : node -> list node.
  Variable good : node -> bool.

  (** Nodes by their hash. *)
  Definition store := PositiveMap.t (list node).
  Definition bucket (s : store) (y : node) : list node :=
    match PositiveMap.find (hash y) s with Some l => l | None => [] end.
  Definition member (s : store) (y : node) : bool := existsb (same y) (bucket s y).

  (** Nodes still to be looked at, and those known, after at most 2^rounds more. *)
  Fixpoint explore (rounds : nat) (w : list node * store) : list node * store :=
    match w with
    | ([], _) => w
    | (y :: work, s) =>
      match rounds with
      | O => if member s y then (work, s) else
        (nexts y ++ work, PositiveMap.add (hash y) (y :: bucket s y) s)
      | S rounds => explore rounds (explore rounds w)
      end
    end.

  Definition all_good (l : list node) : bool :=
    let s := snd (explore 36 (l, PositiveMap.empty _)) in
    forallb (member s) l && all_of (forallb (fun y => good y && forallb (member s) (nexts y))) s.

  Inductive reached (l : list node) : node -> Prop :=
  | at_first y : In y l -> reached l y
  | thereafter y z : reached l y -> In z (nexts y) -> reached l z.

  Theorem all_good_right l y : all_good l = true -> reached l y -> good y = true.
  Proof.
    unfold all_good. set (s := snd _). cbv zeta. rewrite andb_true_iff, forallb_forall.
    intros [First All] R.
    assert (Each : forall y, member s y = true -> good y = true /\ forall z, In z (nexts y) ->
      member s z = true).
    { intros z M. unfold member, bucket in M.
      destruct (PositiveMap.find (hash z) s) as [b|] eqn:F; [|discriminate].
      apply existsb_exists in M as (z' & I & E). apply same_eq in E as <-.
      pose proof (all_of_find _ _ _ _ All F) as B.
      rewrite forallb_forall in B. specialize (B z I). rewrite andb_true_iff, forallb_forall in B.
      exact B. }
    apply Each. induction R as [y I|y z _ IH I]; [now apply First|]. now apply (Each y IH).
  Qed.
End Reached.

(** * Automata *)

(** By states: what follows on a cell that is free, on one that is marked, and what stands there.
    What is not there stays. *)
Definition table (A : Type) := PositiveMap.t (positive * positive * A).

Section Table.
  Context {A : Type}.
  Variable d : table A.

  Definition goes (x : bool) (s : positive) : positive :=
    match PositiveMap.find s d with Some (zero, one, _) => if x then one else zero | None => s end.
  Definition gone (s : positive) (u : list bool) : positive := fold_left (fun s x => goes x s) u s.
  Definition stands (s : positive) : option A :=
    match PositiveMap.find s d with Some (_, _, a) => Some a | None => None end.
  Definition is_there (s : positive) : bool :=
    match PositiveMap.find s d with Some _ => true | None => false end.

  Lemma gone_snoc s u x : gone s (u ++ [x]) = goes x (gone s u).
  Proof. unfold gone. now rewrite fold_left_app. Qed.

  Lemma gone_app s u v : gone s (u ++ v) = gone (gone s u) v.
  Proof. unfold gone. apply fold_left_app. Qed.

  Lemma stays s u : PositiveMap.find s d = None -> gone s u = s.
  Proof.
    intro E. induction u as [|x u IH] using rev_ind; [reflexivity|]. rewrite gone_snoc, IH.
    unfold goes. now rewrite E.
  Qed.

  Lemma there_before s u : is_there (gone s u) = true -> is_there s = true.
  Proof.
    unfold is_there. destruct (PositiveMap.find s d) eqn:E; [reflexivity|].
    now rewrite stays, E by exact E.
  Qed.
End Table.

(** Automata begin in this state; the one before it is not there. *)
Definition begins : positive := 2.

(** What a class says of a cell: that it is marked ([None]), or who wins with the token there. *)
Definition letter := option mark.

(** The automata of a lap: whether a tape may end; the state of the third, and the letters of the
    first cells; who wins. *)
Record lap := { tapes : table bool; classes : table (positive * list letter); ahead : table mark }.

Definition accepts (l : lap) (a : positive) : bool :=
  match stands (tapes l) a with Some b => b | None => false end.
Definition word_of (l : lap) (c : positive) : positive :=
  match stands (classes l) c with Some (w, _) => w | None => 1%positive end.
Definition letter_of (l : lap) (c : positive) (j : nat) : letter :=
  match stands (classes l) c with Some (_, letters) => nth j letters (Some Silent) | None =>
    Some Silent end.
Definition said (l : lap) (w : positive) : mark :=
  match stands (ahead l) w with Some m => m | None => Silent end.

(** What the lap says of a position. *)
Definition spoken (l : lap) (x y : list bool) : mark :=
  said l (gone (ahead l) (word_of l (gone (classes l) begins x)) y).

Definition same_mark (m m' : mark) : bool :=
  match m, m' with Silent, Silent | Lost, Lost | Won, Won => true | _, _ => false end.

(** * Checks *)

Section Laps.
  Variable misere : bool.
  Variable steps : list Z.

  Definition strides : list nat := map Z.to_nat steps.
  Definition furthest : nat := fold_left Nat.max strides 0.

  (** Cells read, as far as it matters. *)
  Definition later (cells : nat) : nat := if Nat.leb cells furthest then S cells else cells.

  (** Whether a tape may end here: circles are larger than the furthest step. *)
  Definition ends (l : lap) (a : positive) (cells : nat) : bool :=
    accepts l a && Nat.ltb furthest cells.

  (** A lap up to here: the state of its tapes; the cells since the token's last one with the next
      one, 0 if there is none yet; cells read; and the state of another automaton, which reads what
      the lap leaves. *)
  Definition walker := (positive * nat * nat * positive)%type.

  (** The cells to which the token may come as the lap begins. *)
  Definition entries (is_first : bool) : nat := if is_first then 1 else furthest.

  Definition passes (is_first : bool) (since cells : nat) : bool :=
    match since with O => Nat.ltb (S cells) (entries is_first) | S _ => Nat.ltb since furthest end.
  Definition comes (is_first : bool) (since cells : nat) : bool :=
    match since with O => Nat.ltb cells (entries is_first) | S _ =>
      existsb (Nat.eqb since) strides end.
  Definition passed (since : nat) : nat := match since with O => O | S _ => S since end.

  (** One cell on. The token stands there if the second number is 1. *)
  Definition walked (is_first : bool) (l : lap) (other : bool -> positive -> positive) (v : walker)
    : list walker :=
    let '(a, since, cells, b) := v in
    let on (before after : bool) (since : nat) :=
      let a := goes (tapes l) before a in
      if is_there (tapes l) a then [(a, since, later cells, other after b)] else [] in
    (if passes is_first since cells then on false false (passed since) ++ on true true
      (passed since) else []) ++
    (if comes is_first since cells then on false true 1 else []).

  (** Hashing: nothing has to be known of it. *)
  Definition mixed (h : N) (p : positive) : N := N.land (31 * h + Npos p) 1048575.
  Definition hashed (l : list positive) : positive := N.succ_pos (fold_left mixed l 0%N).

  (** ** The tapes of the next lap are all that a lap leaves *)

  Definition same_walker (v w : walker) : bool :=
    let '(a, since, cells, b) := v in let '(a', since', cells', b') := w in
    Pos.eqb a a' && Nat.eqb since since' && Nat.eqb cells cells' && Pos.eqb b b'.
  Definition hash_walker (v : walker) : positive := let '(a, _, _, b) := v in hashed [a; b].
  Definition left_fits (l next : lap) (v : walker) : bool :=
    let '(a, _, cells, b) := v in negb (ends l a cells) || accepts next b.

  Definition leaves_fit (is_first : bool) (l next : lap) : bool :=
    all_good same_walker hash_walker (walked is_first l (goes (tapes next))) (left_fits l next)
      [(begins, 0, 0, begins)].

  (** ** Letters say what the next lap says *)

  (** The state of the next lap's tapes; the class; cells read; the next lap's class up to the cell
      of which letters are read, and then its word, or nothing where the cell is marked. *)
  Definition letter_walker := (positive * positive * nat * option positive)%type.

  Definition read_on (l next : lap) (cell : nat) (v : letter_walker) : list letter_walker :=
    let '(a, c, cells, s) := v in
    let on (x : bool) :=
      let a := goes (tapes next) x a in let c := goes (classes l) x c in
      if is_there (tapes next) a && is_there (classes l) c then
        let s := match s with
          | None => None
          | Some s =>
            if Nat.ltb cells cell then Some (goes (classes next) x s)
            else if Nat.eqb cells cell then if x then None else
              Some (word_of next (goes (classes next) true s))
            else Some (goes (ahead next) x s)
          end in
        [(a, c, later cells, s)]
      else [] in
    on false ++ on true.

  Definition letter_fits (l next : lap) (cell : nat) (v : letter_walker) : bool :=
    let '(a, c, cells, s) := v in
    negb (ends next a cells) ||
    match letter_of l c cell, s with
    | Some Silent, _ => true
    | None, None => true
    | Some m, Some s => same_mark m (said next s)
    | _, _ => false
    end.

  Definition same_letter_walker (v w : letter_walker) : bool :=
    let '(a, c, cells, s) := v in let '(a', c', cells', s') := w in
    Pos.eqb a a' && Pos.eqb c c' && Nat.eqb cells cells' &&
    match s, s' with Some s, Some s' => Pos.eqb s s' | None, None => true | _, _ => false end.
  Definition hash_letter_walker (v : letter_walker) : positive :=
    let '(a, c, _, s) := v in hashed [a; c; match s with Some s => s | None => 1%positive end].

  Definition letters_fit (l next : lap) (cell : nat) : bool :=
    all_good same_letter_walker hash_letter_walker (read_on l next cell) (letter_fits l next cell)
      [(begins, begins, 0, Some begins)].

  (** ** Positions *)

  (** An option: past the cells read so far, or on a cell that is marked, or the state of the third
      automaton. *)
  Inductive choice := Beyond | Shut | At (w : positive).

  (** The walk of a lap; or a position of it: the state of the tapes, the word, the cells read since
      the token's, cells read, the class of all cells as long as a step leads further, and the
      options. *)
  Inductive node :=
  | Walking (v : walker)
  | Standing (a w : positive) (read cells : nat) (c : positive) (options : list choice).

  Definition stood (l : lap) (v : walker) : list node :=
    let '(a, since, cells, c) := v in
    let w := word_of l c in
    if Nat.eqb since 1 && is_there (ahead l) w then
      [Standing a w 0 cells c (map (fun _ => Beyond) strides)] else [].

  Definition chosen (l : lap) (x : bool) (read : nat) (c : positive) (o : choice) (stride : nat) :
    choice :=
    match o with
    | Beyond => if Nat.eqb stride (S read) then if x then Shut else
      At (word_of l (goes (classes l) true c)) else Beyond
    | Shut => Shut
    | At w => At (goes (ahead l) x w)
    end.

  Definition stood_on (l : lap) (a w : positive) (read cells : nat) (c : positive)
    (options : list choice) (x : bool) : list node :=
    let a := goes (tapes l) x a in let w := goes (ahead l) x w in
    if is_there (tapes l) a && is_there (ahead l) w then
      let more := Nat.ltb (S read) furthest in
      [Standing a w (if Nat.ltb read furthest then S read else read) (later cells)
        (if more then goes (classes l) x c else begins)
        (map (fun ok => chosen l x read c (fst ok) (snd ok)) (combine options strides))]
    else [].

  Definition followed (is_first : bool) (l : lap) (v : node) : list node :=
    match v with
    | Walking v => let vs := walked is_first l (goes (classes l)) v in
      map Walking vs ++ flat_map (stood l) vs
    | Standing a w read cells c options => flat_map (stood_on l a w read cells c options) [false;
      true]
    end.

  (** What is said of an option, if it is one; letters of the last lap are not believed. *)
  Definition said_of (has_next : bool) (l : lap) (c : positive) (read : nat) (o : choice)
    (stride : nat) : list mark :=
    match o with
    | Beyond =>
      if has_next then match letter_of l c (stride - 1 - read) with Some m => [m] | None =>
        [] end else [Silent]
    | Shut => []
    | At w => [said l w]
    end.

  Definition position_fits (has_next : bool) (l : lap) (v : node) : bool :=
    match v with
    | Walking _ => true
    | Standing a w read cells c options =>
      negb (ends l a cells) ||
      judged misere (said l w :: flat_map (fun ok => said_of has_next l c read (fst ok) (snd ok))
        (combine options strides))
    end.

  Fixpoint same_choices (l m : list choice) : bool :=
    match l, m with
    | [], [] => true
    | o :: l, o' :: m =>
      match o, o' with Beyond, Beyond | Shut, Shut => true | At w, At w' => Pos.eqb w w' | _, _ =>
        false end && same_choices l m
    | _, _ => false
    end.
  Definition same_position (v v' : node) : bool :=
    match v, v' with
    | Walking v, Walking v' => same_walker v v'
    | Standing a w read cells c options, Standing a' w' read' cells' c' options' =>
      Pos.eqb w w' && Pos.eqb c c' && same_choices options options' && Pos.eqb a a' && Nat.eqb read
        read' && Nat.eqb cells cells'
    | _, _ => false
    end.
  Definition hash_position (v : node) : positive :=
    match v with
    | Walking (a, _, _, b) => hashed [a; b]
    | Standing a w _ _ c options =>
      hashed (a :: w :: c :: map (fun o => match o with Beyond => 1 | Shut => 2 | At w =>
        w end%positive) options)
    end.

  Definition positions_fit (is_first has_next : bool) (l : lap) : bool :=
    all_good same_position hash_position (followed is_first l) (position_fits has_next l)
      [Walking (begins, 0, 0, begins)].

  (** ** A lap, with the next one *)

  Definition lap_fits (is_first : bool) (l : lap) (next : option lap) : bool :=
    match next with
    | Some next => leaves_fit is_first l next && forallb (letters_fit l next) (seq 0 furthest) &&
      positions_fit is_first true l
    | None => positions_fit is_first false l
    end.

  Variable laps : list lap.

  Definition laps_fit : bool :=
    forallb (fun i => match nth_error laps i with Some l =>
      lap_fits (Nat.eqb i 0) l (nth_error laps (S i)) | None => false end)
      (seq 0 (length laps)).

  (** ** Soundness *)

  (** A walk: the tape so far as the lap begins and as the lap leaves it, and the cells since the
      token's last one with the next one. *)
  Inductive walk (is_first : bool) : list bool -> list bool -> nat -> Prop :=
  | walk_nil : walk is_first [] [] 0
  | walk_before p x c : walk is_first p x 0 -> S (length p) < entries is_first ->
    walk is_first (p ++ [c]) (x ++ [c]) 0
  | walk_comes p x : walk is_first p x 0 -> length p < entries is_first ->
    walk is_first (p ++ [false]) (x ++ [true]) 1
  | walk_passes p x s c : walk is_first p x s -> 0 < s -> s < furthest ->
    walk is_first (p ++ [c]) (x ++ [c]) (S s)
  | walk_steps p x s : walk is_first p x s -> 0 < s -> In s strides ->
    walk is_first (p ++ [false]) (x ++ [true]) 1.

  Definition counted (k : nat) : nat := Nat.min k (S furthest).

  Lemma later_counted k : later (counted k) = counted (S k).
  Proof. unfold later, counted. destruct (Nat.leb_spec (Nat.min k (S furthest)) furthest); lia. Qed.

  Lemma entries_few is_first : is_first = false \/ 0 < furthest -> entries is_first <= furthest.
  Proof. unfold entries. destruct is_first; intros [H|H]; try discriminate; lia. Qed.

  Lemma counted_less k e : e <= furthest -> k < e -> Nat.ltb (counted k) e = true.
  Proof. intros E K. apply Nat.ltb_lt. unfold counted. lia. Qed.

  Lemma walk_length is_first p x s : walk is_first p x s -> length x = length p.
  Proof. induction 1; rewrite ?app_length; cbn [length] in *; lia. Qed.

  Lemma walk_on is_first p x s y : walk is_first p x s -> 0 < s -> s + length y <= furthest ->
    walk is_first (p ++ y) (x ++ y) (s + length y).
  Proof.
    intros W S. induction y as [|c y IH] using rev_ind; intro L.
    - now rewrite !app_nil_r, Nat.add_0_r.
    - rewrite app_length in *. cbn [length] in *. rewrite !app_assoc.
      replace (s + (length y + 1)) with (Datatypes.S (s + length y)) by lia.
      apply walk_passes; [apply IH; lia|lia|lia].
  Qed.

  Section Walkers.
    Variable is_first : bool.
    Hypothesis some : is_first = false \/ 0 < furthest.
    Variable l : lap.
    Context {B : Type}.
    Variable other : table B.

    Lemma walks_walked (R : walker -> Prop) :
      R (begins, 0, 0, begins) ->
      (forall v w, R v -> In w (walked is_first l (goes other) v) -> R w) ->
      forall p x s, walk is_first p x s -> is_there (tapes l) (gone (tapes l) begins p) = true ->
      R (gone (tapes l) begins p, s, counted (length p), gone other begins x).
    Proof.
      intros First Next p x s W. pose proof (entries_few is_first some) as Few.
      induction W as [|p x c W IH L|p x W IH L|p x s c W IH Z L|p x s W IH Z L]; intro T;
        [exact First|..].
      all: assert (T' : is_there (tapes l) (gone (tapes l) begins p) = true)
        by (rewrite gone_app in T; exact (there_before _ _ _ T)).
      all: specialize (IH T'); rewrite gone_snoc in T; rewrite app_length, !gone_snoc; cbn [length];
        rewrite Nat.add_1_r, <- later_counted.
      all: apply (Next _ _ IH); unfold walked; apply in_or_app.
      - left. unfold passes. assert (Lt : Nat.ltb (S (counted (length p))) (entries is_first) =
          true) by (apply Nat.ltb_lt; unfold counted; lia).
        rewrite Lt. cbn [passed]. apply in_or_app. destruct c; [right|left]; rewrite T; now left.
      - right. unfold comes. rewrite counted_less by assumption. rewrite T. now left.
      - left. destruct s as [|s]; [lia|]. unfold passes.
        destruct (Nat.ltb_spec (S s) furthest); [|lia]. cbn [passed].
        apply in_or_app. destruct c; [right|left]; rewrite T; now left.
      - right. destruct s as [|s]; [lia|]. unfold comes.
        assert (E : existsb (Nat.eqb (S s)) strides = true) by (apply existsb_exists; exists (S s);
          split; [exact L|apply Nat.eqb_refl]).
        rewrite E, T. now left.
    Qed.
  End Walkers.

  Lemma same_walker_eq v w : same_walker v w = true -> v = w.
  Proof.
    destruct v as [[[a s] k] b], w as [[[a' s'] k'] b']. unfold same_walker.
    rewrite !andb_true_iff, !Pos.eqb_eq, !Nat.eqb_eq.
    now intros [[[-> ->] ->] ->].
  Qed.

  Lemma same_letter_walkereq v w : same_letter_walker v w = true -> v = w.
  Proof.
    destruct v as [[[a c] k] s], w as [[[a' c'] k'] s']. unfold same_letter_walker.
    rewrite !andb_true_iff, !Pos.eqb_eq, Nat.eqb_eq.
    intros [[[-> ->] ->] E]. destruct s, s'; try discriminate; [|reflexivity].
    now apply Pos.eqb_eq in E as ->.
  Qed.

  Lemma same_choices_eq l : forall m, same_choices l m = true -> l = m.
  Proof.
    induction l as [|o l IH]; intros [|o' m]; cbn; try discriminate; [reflexivity|].
    rewrite andb_true_iff. intros [E H].
    rewrite (IH m H). f_equal. destruct o, o'; try discriminate; try reflexivity.
    now apply Pos.eqb_eq in E as ->.
  Qed.

  Lemma same_position_eq v w : same_position v w = true -> v = w.
  Proof.
    destruct v as [v|a w1 r k c o], w as [w|a' w1' r' k' c' o']; cbn; try discriminate.
    - intro H. now rewrite (same_walker_eq _ _ H).
    - rewrite !andb_true_iff, !Pos.eqb_eq, !Nat.eqb_eq. intros [[[[[-> ->] H] ->] ->] ->].
      now rewrite (same_choices_eq _ _ H).
  Qed.

  Lemma ends_here l u : accepts l (gone (tapes l) begins u) = true -> furthest < length u ->
    ends l (gone (tapes l) begins u) (counted (length u)) = true.
  Proof.
    intros A L. unfold ends. rewrite A. apply Nat.ltb_lt. unfold counted. lia.
  Qed.

  Lemma accepts_there l a : accepts l a = true -> is_there (tapes l) a = true.
  Proof. unfold accepts, stands, is_there.
  now destruct (PositiveMap.find a (tapes l)) as [[[? ?] ?]|]. Qed.

  Lemma leaves_right is_first l next : is_first = false \/ 0 < furthest ->
    leaves_fit is_first l next = true ->
    forall p x s, walk is_first p x s -> accepts l (gone (tapes l) begins p) = true ->
      furthest < length p ->
    accepts next (gone (tapes next) begins x) = true.
  Proof.
    unfold leaves_fit. intros Some F p x s W A L.
    assert (R : reached (walked is_first l (goes (tapes next))) [(begins, 0, 0, begins)]
      (gone (tapes l) begins p, s, counted (length p), gone (tapes next) begins x)).
    { apply (walks_walked is_first Some l (tapes next));
        [|intros v w; apply thereafter|exact W|now apply accepts_there].
      apply at_first. now left. }
    pose proof (all_good_right _ same_walker_eq _ _ _ _ _ F R) as G. unfold left_fits in G.
    now rewrite ends_here in G by assumption.
  Qed.

  (** The walk of letters, where a tape was read. *)
  Definition letter_walk (l next : lap) (cell : nat) (u : list bool) : letter_walker :=
    (gone (tapes next) begins u, gone (classes l) begins u, counted (length u),
      if Nat.leb (length u) cell then Some (gone (classes next) begins u)
      else if nth cell u true then None
      else Some (gone (ahead next) (word_of next
        (gone (classes next) begins (firstn cell u ++ [true]))) (skipn (S cell) u))).

  Lemma letter_walks_reached l next cell u : cell < furthest ->
    is_there (tapes next) (gone (tapes next) begins u) = true ->
      is_there (classes l) (gone (classes l) begins u) = true ->
    reached (read_on l next cell) [(begins, begins, 0, Some begins)] (letter_walk l next cell u).
  Proof.
    intro Cell. induction u as [|x u IH] using rev_ind; intros T C.
    - apply at_first. left. unfold letter_walk. cbn [length gone fold_left]. reflexivity.
    - rewrite gone_snoc in T. rewrite gone_snoc in C.
      specialize (IH (there_before (tapes next) _ [x] T) (there_before (classes l) _ [x] C)).
      apply (thereafter _ _ _ _ IH). unfold letter_walk at 1, read_on.
      assert (I : In (letter_walk l next cell (u ++ [x]))
        (if is_there (tapes next) (goes (tapes next) x (gone (tapes next) begins u)) && is_there
          (classes l) (goes (classes l) x (gone (classes l) begins u))
         then [(goes (tapes next) x (gone (tapes next) begins u), goes (classes l) x
           (gone (classes l) begins u), later (counted (length u)),
           match (if Nat.leb (length u) cell then Some (gone (classes next) begins u)
              else if nth cell u true then None
              else Some (gone (ahead next) (word_of next
                (gone (classes next) begins (firstn cell u ++ [true]))) (skipn (S cell) u))) with
           | None => None
           | Some s =>
             if Nat.ltb (counted (length u)) cell then Some (goes (classes next) x s)
             else if Nat.eqb (counted (length u)) cell then if x then None else
               Some (word_of next (goes (classes next) true s))
             else Some (goes (ahead next) x s)
           end)] else [])).
      { rewrite T, C. cbn [andb]. left. unfold letter_walk. rewrite !gone_snoc, app_length.
        cbn [length]. rewrite Nat.add_1_r, later_counted. f_equal.
        destruct (Nat.ltb_spec (counted (length u)) cell) as [L|L]; unfold counted in L.
        - destruct (Nat.leb_spec (length u) cell); [|lia].
          destruct (Nat.leb_spec (S (length u)) cell); [|lia]. reflexivity.
        - destruct (Nat.leb_spec (S (length u)) cell); [lia|].
          destruct (Nat.eqb_spec (counted (length u)) cell) as [E|E]; unfold counted in E.
          + assert (Eu : length u = cell) by lia. destruct (Nat.leb_spec (length u) cell); [|lia].
            rewrite <- Eu.
            rewrite app_nth2, Nat.sub_diag by lia. cbn [nth]. destruct x; [reflexivity|].
            rewrite firstn_app, Nat.sub_diag, firstn_O, app_nil_r, firstn_all.
            now rewrite skipn_all2 by (rewrite app_length; cbn; lia).
          + assert (Eu : cell < length u) by lia. destruct (Nat.leb_spec (length u) cell); [lia|].
            rewrite app_nth1 by lia. destruct (nth cell u true); [reflexivity|].
            rewrite firstn_app, skipn_app. replace (cell - length u) with 0 by lia.
            replace (S cell - length u) with 0 by lia.
            rewrite firstn_O, app_nil_r. cbn [skipn]. now rewrite gone_snoc. }
      apply in_or_app. destruct x; [right|left]; exact I.
  Qed.

  (** A letter is right of a tape of the next lap. *)
  Lemma letters_right l next cell u : cell < furthest -> letters_fit l next cell = true ->
    accepts next (gone (tapes next) begins u) = true -> furthest < length u ->
    match letter_of l (gone (classes l) begins u) cell with
    | Some Silent => True
    | None => nth cell u true = true
    | Some m => nth cell u true = false /\ spoken next (firstn cell u ++ [true]) (skipn (S cell) u)
      = m
    end.
  Proof.
    unfold letters_fit. intros Cell F A L.
    destruct (is_there (classes l) (gone (classes l) begins u)) eqn:C.
    - pose proof (all_good_right _ same_letter_walkereq _ _ _ _ _ F
        (letter_walks_reached l next cell u Cell (accepts_there _ _ A) C)) as G.
      unfold letter_walk, letter_fits in G. rewrite ends_here in G by assumption.
      cbn [negb orb] in G.
      destruct (Nat.leb_spec (length u) cell); [lia|]. unfold spoken.
      destruct (letter_of l (gone (classes l) begins u) cell) as [[| |]|], (nth cell u true);
        try discriminate; auto.
      all: split; [reflexivity|].
      all: match type of G with same_mark _ ?m = true => destruct m; try discriminate;
        reflexivity end.
    - unfold letter_of, stands. unfold is_there in C. now destruct (PositiveMap.find _ (classes l)).
  Qed.

  (** An option of a position, with the cells ahead of the token so far as they were read. *)
  Definition option_of (l : lap) (x y : list bool) (k : nat) : choice :=
    if Nat.leb k (length y) then
      if nth (k - 1) y true then Shut
      else At (gone (ahead l) (word_of l (gone (classes l) begins
        (x ++ firstn (k - 1) y ++ [true]))) (skipn k y))
    else Beyond.

  Definition standing (l : lap) (p x y : list bool) : node :=
    Standing (gone (tapes l) begins (p ++ y))
      (gone (ahead l) (word_of l (gone (classes l) begins x)) y)
      (Nat.min (length y) furthest) (counted (length (p ++ y)))
      (if Nat.ltb (length y) furthest then gone (classes l) begins (x ++ y) else begins)
      (map (option_of l x y) strides).

  Lemma stride_most k : In k strides -> k <= furthest.
  Proof.
    unfold furthest. intro I.
    enough (H : forall l b, (b <= fold_left Nat.max l b) /\ forall k, In k l ->
      k <= fold_left Nat.max l b) by now apply H.
    clear. induction l as [|a l IH]; intro b; cbn; [split; [lia|intros k []]|].
    destruct (IH (Nat.max b a)) as [H K]. split; [lia|].
    intros k [<-|I]; [lia|now apply K].
  Qed.

  Section Forwards.
  Hypothesis forwards : forall k, In k strides -> 0 < k.

  Lemma option_snoc l x y c k : In k strides ->
    option_of l x (y ++ [c]) k =
    chosen l c (Nat.min (length y) furthest) (if Nat.ltb (length y) furthest then gone (classes l)
      begins (x ++ y) else begins) (option_of l x y k) k.
  Proof.
    intro I. pose proof (stride_most k I) as M. pose proof (forwards k I) as Z.
    unfold option_of, chosen. rewrite app_length. cbn [length].
    destruct (Nat.leb_spec k (length y)) as [L|L].
    - destruct (Nat.leb_spec k (length y + 1)); [|lia]. rewrite app_nth1 by lia.
      destruct (nth (k - 1) y true); [reflexivity|].
      rewrite firstn_app, skipn_app. replace (k - 1 - length y) with 0 by lia.
      replace (k - length y) with 0 by lia. rewrite firstn_O, app_nil_r.
      cbn [skipn]. now rewrite gone_snoc.
    - destruct (Nat.leb_spec k (length y + 1)) as [E|E].
      + replace (Nat.eqb k (S (Nat.min (length y) furthest))) with true by (symmetry;
          apply Nat.eqb_eq; lia).
        destruct (Nat.ltb_spec (length y) furthest); [|lia].
        rewrite app_nth2 by lia. replace (k - 1 - length y) with 0 by lia. cbn [nth].
        destruct c; [reflexivity|].
        rewrite firstn_app. replace (k - 1 - length y) with 0 by lia.
        rewrite firstn_O, app_nil_r, firstn_all2 by lia.
        rewrite skipn_all2 by (rewrite app_length; cbn; lia). cbn [gone fold_left].
        rewrite app_assoc. now rewrite gone_snoc.
      + destruct (Nat.eqb_spec k (S (Nat.min (length y) furthest))); [lia|reflexivity].
  Qed.

  Lemma combine_options {A} (f : nat -> A) (ks : list nat) : combine (map f ks) ks = map
    (fun k => (f k, k)) ks.
  Proof. induction ks as [|k ks IH]; [reflexivity|]. cbn. now rewrite IH. Qed.

  Lemma standing_reached is_first l p x y : is_first = false \/ 0 < furthest ->
    walk is_first p x 1 ->
    is_there (tapes l) (gone (tapes l) begins (p ++ y)) = true ->
    is_there (ahead l) (gone (ahead l) (word_of l (gone (classes l) begins x)) y) = true ->
    reached (followed is_first l) [Walking (begins, 0, 0, begins)] (standing l p x y).
  Proof.
    intros Some W. induction y as [|c y IH] using rev_ind; intros T S.
    - rewrite app_nil_r in T. unfold standing. rewrite !app_nil_r.
      cbn [gone fold_left length] in S |- *.
      (* The last cell of the walk, to which the token comes. *)
      assert (Walks : forall p x s, walk is_first p x s ->
        is_there (tapes l) (gone (tapes l) begins p) = true ->
        reached (followed is_first l) [Walking (begins, 0, 0, begins)]
          (Walking (gone (tapes l) begins p, s, counted (length p), gone (classes l) begins x)) /\
        (p = [] \/ exists v, reached (followed is_first l) [Walking (begins, 0, 0, begins)]
          (Walking v) /\
          In (gone (tapes l) begins p, s, counted (length p), gone (classes l) begins x)
            (walked is_first l (goes (classes l)) v))).
      { intros p' x' s W' T'.
        pose (R := fun v => reached (followed is_first l) [Walking (begins, 0, 0, begins)]
          (Walking v) /\
          (v = (begins, 0, 0, begins) \/
           exists u, reached (followed is_first l) [Walking (begins, 0, 0, begins)] (Walking u) /\
             In v (walked is_first l (goes (classes l)) u))).
        assert (H : R (gone (tapes l) begins p', s, counted (length p'), gone (classes l) begins
          x')).
        { apply (walks_walked is_first Some l (classes l) R); [| |exact W'|exact T'].
          - split; [apply at_first; now left|now left].
          - intros v w [Rv _] I. split; [|right; now exists v]. apply (thereafter _ _ _ _ Rv).
            cbn [followed]. apply in_or_app. left. now apply in_map. }
        destruct H as [H K]. split; [exact H|]. destruct K as [K|K]; [left|now right].
        injection K as _ _ K _. destruct p'; [reflexivity|]. unfold counted in K. cbn [length] in K.
        lia. }
      destruct (Walks p x 1 W T) as [_ [->|(v & Rv & I)]].
      { exfalso. inversion W; destruct p; discriminate. }
      apply (thereafter _ _ _ _ Rv). cbn [followed]. apply in_or_app. right. apply in_flat_map.
      eexists. split; [exact I|].
      unfold stood. cbn [Nat.eqb andb]. cbn [is_there] in S. rewrite S. left. f_equal.
      + destruct (Nat.ltb_spec 0 furthest) as [|Z]; [reflexivity|].
        destruct Some as [->|Some]; [|lia]. exfalso.
        clear -W Z forwards. inversion W; subst; unfold entries in *; try lia.
        match goal with H : In _ strides |- _ => pose proof (stride_most _ H);
          pose proof (forwards _ H) end. lia.
      + apply map_ext_in. intros k I'. unfold option_of. cbn [length]. pose proof (forwards k I').
        now destruct (Nat.leb_spec k 0); [lia|].
    - rewrite app_assoc, gone_snoc in T. rewrite gone_snoc in S.
      assert (T' : is_there (tapes l) (gone (tapes l) begins (p ++ y)) = true) by
        exact (there_before (tapes l) _ [c] T).
      assert (S' : is_there (ahead l) (gone (ahead l) (word_of l (gone (classes l) begins x)) y) =
        true) by exact (there_before (ahead l) _ [c] S).
      specialize (IH T' S'). apply (thereafter _ _ _ _ IH). unfold standing at 1. cbn [followed].
      apply in_flat_map. exists c.
      split; [destruct c; [right|]; now left|]. unfold stood_on. rewrite T, S. cbn [andb]. left.
      unfold standing.
      rewrite !app_assoc, !gone_snoc, !app_length. cbn [length]. rewrite !Nat.add_1_r. f_equal.
      + destruct (Nat.ltb_spec (Nat.min (length y) furthest) furthest); lia.
      + rewrite later_counted. f_equal.
      + destruct (Nat.ltb_spec (Datatypes.S (Nat.min (length y) furthest)) furthest),
          (Nat.ltb_spec (Datatypes.S (length y)) furthest); try lia.
        destruct (Nat.ltb_spec (length y) furthest); [reflexivity|lia].
      + rewrite combine_options, map_map. apply map_ext_in. intros k I. cbn [fst snd]. symmetry.
        now apply option_snoc.
  Qed.

  (** What is said of an option. *)
  Definition said_there (has_next : bool) (l : lap) (x y : list bool) (k : nat) : list mark :=
    if Nat.leb k (length y) then
      if nth (k - 1) y true then [] else [spoken l (x ++ firstn (k - 1) y ++ [true]) (skipn k y)]
    else if has_next then
      match letter_of l (gone (classes l) begins (x ++ y)) (k - 1 - length y) with Some m => [m] |
        None => [] end
    else [Silent].

  Lemma positions_right is_first has_next l p x y : is_first = false \/ 0 < furthest ->
    positions_fit is_first has_next l = true ->
    walk is_first p x 1 -> accepts l (gone (tapes l) begins (p ++ y)) = true ->
      furthest < length (p ++ y) ->
    judged misere (spoken l x y :: flat_map (said_there has_next l x y) strides) = true.
  Proof.
    unfold positions_fit. intros Some F W A L.
    destruct (is_there (ahead l) (gone (ahead l) (word_of l (gone (classes l) begins x)) y)) eqn:S.
    - pose proof (all_good_right _ same_position_eq _ _ _ _ _ F
        (standing_reached is_first l p x y Some W (accepts_there _ _ A) S)) as G.
      unfold standing, position_fits in G. rewrite ends_here in G by assumption.
      cbn [negb orb] in G.
      rewrite combine_options, flat_map_concat_map, map_map in G. rewrite flat_map_concat_map.
      unfold spoken. revert G.
      apply eq_ind. do 3 f_equal. apply map_ext_in. intros k I. cbn [fst snd].
      pose proof (forwards k I). pose proof (stride_most k I).
      unfold option_of, said_there, said_of, spoken.
      destruct (Nat.leb_spec k (length y)) as [Lk|Lk].
      + destruct (nth (k - 1) y true); reflexivity.
      + destruct has_next; [|reflexivity]. destruct (Nat.ltb_spec (length y) furthest); [|lia].
        now rewrite Nat.min_l by lia.
    - unfold spoken at 1, said, stands. unfold is_there in S.
      now destruct (PositiveMap.find _ (ahead l)).
  Qed.

  (** ** One circle *)

  Section Circle.
    Variable n : nat.
    Hypothesis large : furthest < n.
    Hypothesis some_step : 0 < furthest.
    Hypothesis fits : laps_fit = true.
    Notation Zn := (Z.of_nat n).

    (** The marks of a tape, by the distance from a cell. *)
    Definition marks_from (t : nat) (m : list bool) (z : Z) : bool :=
      nth (Z.to_nat ((Z.of_nat t + z) mod Zn)) m true.

    (** A position of a lap, with the marks by the distance from the token. *)
    Definition placed (i : nat) (l : lap) (p x y : list bool) (g : Z -> bool) : Prop :=
      nth_error laps i = Some l /\ walk (Nat.eqb i 0) p x 1 /\ length (x ++ y) = n /\
      accepts l (gone (tapes l) begins (p ++ y)) = true /\ forall z, g z = marks_from (length x - 1)
        (x ++ y) z.

    Definition labelled (m : mark) (g : Z -> bool) : Prop :=
      exists i l p x y, placed i l p x y g /\ spoken l x y = m.

    Lemma nth_marked q (w z : list bool) c : q <> length w -> nth q (w ++ true :: z) true = nth q
      (w ++ c :: z) true.
    Proof.
      intro D. destruct (Nat.lt_ge_cases q (length w)); [now rewrite !app_nth1|].
      rewrite !app_nth2 by lia.
      destruct (q - length w) eqn:E; [lia|reflexivity].
    Qed.

    Lemma nth_middle_here (w z : list bool) c : nth (length w) (w ++ c :: z) true = c.
    Proof. apply nth_middle. Qed.

    (** A move marks a cell. *)
    Lemma marking (w z : list bool) c t a g :
      ((Z.of_nat t + a) mod Zn = Z.of_nat (length w))%Z ->
        (forall i, g i = marks_from t (w ++ c :: z) i) ->
      exists h, extends steps n g a h /\ forall i, seen_from a h i = marks_from (length w)
        (w ++ true :: z) i.
    Proof.
      intros E G. exists (marks_from t (w ++ true :: z)). split.
      - split; [|split; [|split]].
        + intro i. unfold marks_from. now rewrite Z.add_mod_idemp_r by lia.
        + intros i H. rewrite G in H. unfold marks_from in *.
          destruct (Nat.eq_dec (Z.to_nat ((Z.of_nat t + i) mod Zn)) (length w)) as [->|D].
          * apply nth_middle.
          * now rewrite (nth_marked _ w z c D).
        + unfold marks_from. rewrite E, Nat2Z.id. apply nth_middle.
        + intros i H. rewrite G. unfold marks_from in *.
          destruct (Nat.eq_dec (Z.to_nat ((Z.of_nat t + i) mod Zn)) (length w)) as [D|D].
          * right. left. pose proof (Z.mod_pos_bound (Z.of_nat t + i) Zn ltac:(lia)).
            replace (i - a)%Z with (Z.of_nat t + i - (Z.of_nat t + a))%Z by lia.
            rewrite Zminus_mod, E, <- D, Z2Nat.id by lia.
            rewrite Z.sub_diag. apply Z.mod_0_l. lia.
          * left. now rewrite <- (nth_marked _ w z c D).
      - intro i. unfold seen_from, marks_from. rewrite <- E, Z.add_mod_idemp_l by lia. do 3 f_equal.
        lia.
    Qed.

    Lemma enters (u : list bool) : length u < furthest -> walk false u u 0.
    Proof.
      induction u as [|c u IH] using rev_ind; intro L; [apply walk_nil|]. rewrite app_length in L.
      cbn [length] in L.
      apply walk_before; [apply IH; lia|unfold entries; lia].
    Qed.

    Lemma split_at (y : list bool) k : k < length y -> y = firstn k y ++ nth k y true :: skipn (S k)
      y.
    Proof.
      intro L. rewrite <- (firstn_skipn k y) at 1. f_equal. revert k L.
      induction y as [|c y IH]; intros [|k] L; cbn in *; try lia; [reflexivity|].
      apply IH. lia.
    Qed.

    Definition has_next (i : nat) : bool :=
      match nth_error laps (S i) with Some _ => true | None => false end.

    Lemma lap_parts i l : nth_error laps i = Some l ->
      positions_fit (Nat.eqb i 0) (has_next i) l = true /\
      forall next, nth_error laps (S i) = Some next ->
        leaves_fit (Nat.eqb i 0) l next = true /\ forall cell, cell < furthest ->
          letters_fit l next cell = true.
    Proof.
      intro E. unfold laps_fit in fits. rewrite forallb_forall in fits. pose proof fits as F.
      specialize (F i ltac:(apply in_seq; split; [lia|]; apply nth_error_Some; congruence)).
      rewrite E in F.
      unfold lap_fits in F. unfold has_next. destruct (nth_error laps (S i)) as [next|].
      - rewrite !andb_true_iff, forallb_forall in F. destruct F as [[A B] C]. split; [exact C|].
        intros ? X. injection X as <-.
        split; [exact A|]. intros cell L. apply B, in_seq. lia.
      - split; [exact F|discriminate].
    Qed.

    Lemma some_or i : Nat.eqb i 0 = false \/ 0 < furthest.
    Proof. now right. Qed.

    Lemma option_right i l p x y g k : placed i l p x y g -> In k strides ->
      (g (Z.of_nat k) = false -> said_there (has_next i) l x y k <> []) /\
      forall m, In m (said_there (has_next i) l x y k) -> m <> Silent ->
        g (Z.of_nat k) = false /\ exists h, extends steps n g (Z.of_nat k) h /\
          labelled m (seen_from (Z.of_nat k) h).
    Proof.
      intros (E & W & L & A & G) I. pose proof (stride_most k I) as M.
      pose proof (forwards k I) as K.
      assert (X : 0 < length x) by (inversion W; rewrite app_length; cbn; lia). unfold said_there.
      rewrite app_length in L. destruct (Nat.leb_spec k (length y)) as [Lk|Lk].
      - (* The token stays in this lap. *)
        pose proof (split_at y (k - 1) ltac:(lia)) as Y. replace (S (k - 1)) with k in Y by lia.
        set (y1 := firstn (k - 1) y) in *. set (y2 := skipn k y) in *.
        set (c := nth (k - 1) y true) in *.
        assert (L1 : length y1 = k - 1) by (apply firstn_length_le; lia).
        assert (Lw : length (x ++ y1) = length x + (k - 1)) by (rewrite app_length; lia).
        assert (T : ((Z.of_nat (length x - 1) + Z.of_nat k) mod Zn = Z.of_nat
          (length (x ++ y1)))%Z).
        { rewrite Lw. rewrite Z.mod_small by lia. lia. }
        assert (Gk : forall z, g z = marks_from (length x - 1) ((x ++ y1) ++ c :: y2) z).
        { intro z. rewrite G. rewrite Y at 1. now rewrite <- app_assoc. }
        assert (C : g (Z.of_nat k) = c).
        { rewrite Gk. unfold marks_from. rewrite T, Nat2Z.id. apply nth_middle. }
        rewrite C. destruct c eqn:Ec; [split; [discriminate|intros m []]|]. split; [discriminate|].
        intros m [<-|[]] _. split; [reflexivity|].
        destruct (marking (x ++ y1) y2 false (length x - 1) (Z.of_nat k) g T Gk) as (h & Ex & H).
        exists h. split; [exact Ex|].
        exists i, l, (p ++ y1 ++ [false]), (x ++ y1 ++ [true]), y2. split; [|reflexivity].
        split; [exact E|]. split; [|split; [|split]].
        + rewrite !app_assoc. apply walk_steps with (s := 1 + length y1);
            [|lia|replace (1 + length y1) with k by lia; exact I].
          apply walk_on; [exact W|lia|lia].
        + pose proof (f_equal (@length bool) Y) as Ly. rewrite app_length in Ly. cbn [length] in Ly.
          rewrite !app_length. cbn [length]. lia.
        + rewrite <- !app_assoc. cbn [app]. now rewrite <- Y.
        + intro z. rewrite H. replace (length (x ++ y1 ++ [true]) - 1) with (length (x ++ y1)).
          * now rewrite <- !app_assoc.
          * rewrite !app_length. cbn [length]. lia.
      - (* A step past the last cell. *)
        set (u := x ++ y) in *. set (j := k - 1 - length y) in *.
        assert (Lu : length u = n) by (unfold u; rewrite app_length; lia).
        assert (T : ((Z.of_nat (length x - 1) + Z.of_nat k) mod Zn = Z.of_nat j)%Z).
        { replace (Z.of_nat (length x - 1) + Z.of_nat k)%Z with (Z.of_nat j + 1 * Zn)%Z by
            (unfold j; lia).
          rewrite Z.mod_add by lia. apply Z.mod_small. unfold j. lia. }
        assert (C : g (Z.of_nat k) = nth j u true).
        { rewrite G. unfold marks_from. now rewrite T, Nat2Z.id. }
        destruct (has_next i) eqn:N; [|split; [discriminate|now intros m [<-|[]]]].
        unfold has_next in N. destruct (nth_error laps (S i)) as [next|] eqn:E'; [|discriminate].
        destruct (lap_parts i l E) as [_ Parts]. destruct (Parts next E') as [Leaves Letters].
        assert (W' : walk (Nat.eqb i 0) (p ++ y) u (1 + length y)) by (apply walk_on;
          [exact W|lia|lia]).
        pose proof (walk_length _ _ _ _ W') as Lp.
        pose proof (leaves_right _ l next (some_or i) Leaves _ _ _ W' A ltac:(lia)) as A'.
        pose proof (letters_right l next j u ltac:(unfold j; lia) (Letters j ltac:(unfold j; lia))
          A' ltac:(lia)) as R.
        pose proof (split_at u j ltac:(unfold j; lia)) as U. set (w := firstn j u) in *.
        set (z := skipn (S j) u) in *.
        assert (Lw : length w = j) by (apply firstn_length_le; unfold j; lia).
        assert (Step : nth j u true = false ->
          exists h, extends steps n g (Z.of_nat k) h /\ labelled (spoken next (w ++ [true]) z)
            (seen_from (Z.of_nat k) h)).
        { intro F. rewrite F in U. rewrite <- Lw in T. rewrite U in G.
          destruct (marking w z false (length x - 1) (Z.of_nat k) g T G) as (h & Ex & H). exists h.
          split; [exact Ex|]. exists (S i), next, (w ++ [false]), (w ++ [true]), z.
          split; [|reflexivity]. split; [exact E'|]. split; [|split; [|split]].
          - apply walk_comes; [apply enters; unfold j in *; lia|unfold entries; cbn [Nat.eqb];
              unfold j in *; lia].
          - rewrite <- Lu, U, !app_length. cbn [length]. lia.
          - rewrite <- app_assoc. cbn [app]. now rewrite <- U.
          - intro q. rewrite H, <- app_assoc. cbn [app]. f_equal. rewrite app_length. cbn [length].
            lia. }
        destruct (letter_of l (gone (classes l) begins u) j) as [m'|].
        + split; [discriminate|]. intros m [<-|[]] Q. rewrite C. destruct m'; [congruence|..].
          all: destruct R as [R <-]; split; [exact R|exact (Step R)].
        + split; [rewrite C; congruence|intros m []].
    Qed.

    Hypothesis positive : forall a, In a steps -> a = Z.of_nat (Z.to_nat a).

    Lemma stride_of a : In a steps -> In (Z.to_nat a) strides.
    Proof. apply in_map. Qed.

    Theorem labelled_right : forall p g, covers steps n p g ->
      (labelled Lost g -> loses misere steps n p) /\ (labelled Won g -> wins misere steps n p).
    Proof.
      assert (Z0 : 0 < n) by lia.
      assert (Judged : forall i l p x y g, placed i l p x y g ->
        judged misere (spoken l x y :: flat_map (said_there (has_next i) l x y) strides) = true).
      { intros i l p x y g (E & W & L & A & _). destruct (lap_parts i l E) as [F _].
        apply (positions_right (Nat.eqb i 0) _ l p x y (some_or i) F W A).
        rewrite app_length in L |- *.
        rewrite <- (walk_length _ _ _ _ W). lia. }
      apply (labels_right misere steps n Z0).
      - intros g _ _ (i & l & p & x & y & P & Lo). pose proof (Judged i l p x y g P) as J.
        rewrite Lo in J. cbn [judged] in J.
        apply andb_true_iff in J as [All Some]. rewrite forallb_forall in All. split.
        + intros ->. cbn [andb] in Some.
          destruct (flat_map _ strides) as [|m ms] eqn:F; [discriminate|].
          assert (I : In m (flat_map (said_there (has_next i) l x y) strides)) by (rewrite F;
            now left).
          specialize (All m ltac:(now left)). apply in_flat_map in I as (k & Ik & I).
          unfold strides in Ik. apply in_map_iff in Ik as (a & <- & Ia).
          destruct (option_right i l p x y g (Z.to_nat a) P (stride_of a Ia)) as [_ Each].
          rewrite <- (positive a Ia) in Each.
          destruct (Each m I) as [Free _]; [now intros ->|]. now exists a.
        + intros a Ia Free. destruct (option_right i l p x y g (Z.to_nat a) P (stride_of a Ia)) as
            [Ex Each]. rewrite <- (positive a Ia) in Ex, Each.
          specialize (Ex Free). destruct (said_there (has_next i) l x y (Z.to_nat a)) as [|m ms]
            eqn:F; [congruence|].
          specialize (All m ltac:(apply in_flat_map; exists (Z.to_nat a); split;
            [now apply stride_of|rewrite F; now left])).
          destruct (Each m ltac:(now left)) as (_ & h & X & La); [now intros ->|]. exists h.
          split; [exact X|]. destruct m; try discriminate. exact La.
      - intros g _ _ (i & l & p & x & y & P & Wo). pose proof (Judged i l p x y g P) as J.
        rewrite Wo in J. cbn [judged] in J.
        apply orb_true_iff in J as [J|J].
        + apply existsb_exists in J as (m & I & Lm). apply in_flat_map in I as (k & Ik & I).
          unfold strides in Ik. apply in_map_iff in Ik as (a & <- & Ia).
          destruct (option_right i l p x y g (Z.to_nat a) P (stride_of a Ia)) as [_ Each].
          rewrite <- (positive a Ia) in Each.
          destruct (Each m I) as (Free & h & X & La); [now intros ->|]. left. exists a, h.
          repeat (split; [assumption|]). destruct m; try discriminate. exact La.
        + apply andb_true_iff in J as [Mi No]. right. split; [exact Mi|]. intros a Ia.
          destruct (g a) eqn:Free; [reflexivity|].
          destruct (option_right i l p x y g (Z.to_nat a) P (stride_of a Ia)) as [Ex _].
          rewrite <- (positive a Ia) in Ex. specialize (Ex Free).
          exfalso. apply Ex. destruct (said_there (has_next i) l x y (Z.to_nat a)) as [|m ms] eqn:F;
            [reflexivity|].
          assert (I : In m (flat_map (said_there (has_next i) l x y) strides)).
          { apply in_flat_map. exists (Z.to_nat a).
            split; [now apply stride_of|rewrite F; now left]. }
          destruct (flat_map _ strides); [destruct I|discriminate].
    Qed.

    (** The first lap says who wins from the start, where it has the tape on which nothing is
        marked. *)
    Theorem start_right l : nth_error laps 0 = Some l ->
      accepts l (gone (tapes l) begins (repeat false n)) = true ->
      match spoken l [true] (repeat false (n - 1)) with
      | Silent => True
      | Lost => loses misere steps n [0]
      | Won => wins misere steps n [0]
      end.
    Proof.
      intros E A. set (y := repeat false (n - 1)).
      assert (P : labelled (spoken l [true] y) (start n)).
      { exists 0, l, [false], [true], y. split; [|reflexivity]. split; [exact E|].
        split; [|split; [|split]].
        - exact (walk_comes true [] [] (walk_nil true) ltac:(cbn; lia)).
        - rewrite app_length. unfold y. rewrite repeat_length. cbn [length]. lia.
        - replace ([false] ++ y) with (repeat false n); [exact A|]. unfold y.
          replace n with (S (n - 1)) at 1 by lia. reflexivity.
        - intro z. unfold start, marks_from. cbn [length]. rewrite Nat.sub_diag, Z.add_0_l.
          pose proof (Z.mod_pos_bound z Zn ltac:(lia)) as B.
          destruct (Z.eqb_spec (z mod Zn) 0) as [->|D]; [reflexivity|]. cbn [app].
          destruct (Z.to_nat (z mod Zn)) as [|q] eqn:Q; [lia|]. cbn [nth].
          unfold y. rewrite (nth_indep _ true false) by (rewrite repeat_length; lia). symmetry.
          apply nth_repeat. }
      destruct (labelled_right [0] (start n) (start_covers steps n ltac:(lia))) as [Lo Wo].
      destruct (spoken l [true] y); [exact I|now apply Lo|now apply Wo].
    Qed.
  End Circle.
  End Forwards.

  (** ** Circles of every length *)

  Variable claim : formula.

  (** Circles of [from] cells and more are of the laps; outcomes have the period from [top] cells
      on. *)
  Variable from top period : nat.

  (** With n cells on which nothing is marked: the state of the tapes; and what the first lap says
      of the start. *)
  Definition blank_tape (l : lap) (n : nat) : positive := gone (tapes l) begins (repeat false n).
  Definition blank_word (l : lap) (n : nat) : positive :=
    gone (ahead l) (word_of l (gone (classes l) begins [true])) (repeat false (n - 1)).

  (** Whether who is to move first loses. *)
  Definition first_loses (l : lap) (n : nat) : option bool :=
    if Nat.ltb n from then searched misere steps n
    else if accepts l (blank_tape l n) then
      match said l (blank_word l n) with Silent => None | Lost => Some true | Won => Some false end
    else None.

  (** What is searched, and compared one by one, is bounded. *)
  Definition fine_laps : bool :=
    forallb (fun a => (0 <? a)%Z && (a <=? 12)%Z) steps && Nat.ltb 0 furthest && Nat.ltb furthest
      from && N.leb (N.of_nat from) 129 && Nat.leb from top && Nat.ltb 0 period &&
    N.leb (N.of_nat (top + period)) 4096 && settled (N.of_nat top) (N.of_nat period) claim &&
    match laps with
    | [] => false
    | l :: _ =>
      Pos.eqb (blank_tape l top) (blank_tape l (top + period)) && Pos.eqb (blank_word l top)
        (blank_word l (top + period)) &&
      forallb (fun n => match first_loses l n with Some x => Bool.eqb x (truth claim (N.of_nat n)) |
        None => false end)
        (seq 1 (top + period))
    end && laps_fit.

  Lemma repeats_later {A} (d : table A) s k j i : gone d s (repeat false k) = gone d s
    (repeat false j) ->
    gone d s (repeat false (k + i)) = gone d s (repeat false (j + i)).
  Proof. intro E. now rewrite !repeat_app, !gone_app, E. Qed.

  Theorem laps_right : fine_laps = true -> forall n, 0 < n ->
    (loses misere steps n [0] <-> fden claim (only (N.of_nat n))).
  Proof.
    unfold fine_laps. destruct laps as [|l rest] eqn:El;
      [rewrite !andb_true_iff; intros [[_ X] _]; discriminate|].
    rewrite !andb_true_iff, !Nat.ltb_lt, !Nat.leb_le, !Pos.eqb_eq.
    intros [[[[[[[[[Range Z] Large] _] Top] P] _] Settled] [[Et Ew] Below]] Fits].
    assert (Positive : forall a, In a steps -> (0 < a)%Z).
    { intros a I. rewrite forallb_forall in Range. specialize (Range a I).
      apply andb_true_iff in Range as [L _]. now apply Z.ltb_lt. }
    assert (All : forall n, 0 < n -> first_loses l n = Some (truth claim (N.of_nat n))).
    { intro n. induction n as [n IH] using (well_founded_induction lt_wf). intro N0.
      destruct (Nat.lt_ge_cases n (S (top + period))) as [L|L].
      - rewrite forallb_forall in Below. specialize (Below n ltac:(apply in_seq; lia)).
        destruct (first_loses l n); [|discriminate]. now rewrite (eqb_prop _ _ Below).
      - specialize (IH (n - period) ltac:(lia) ltac:(lia)). set (m := n - period) in *.
        replace n with (m + period) by (unfold m; lia). rewrite Nat2N.inj_add.
        rewrite (settled_turn (N.of_nat top)) by (assumption || unfold m; lia).
        rewrite <- IH. unfold first_loses. destruct (Nat.ltb_spec (m + period) from); [lia|].
        destruct (Nat.ltb_spec m from); [unfold m in *; lia|].
        replace (blank_tape l (m + period)) with (blank_tape l m);
          [replace (blank_word l (m + period)) with (blank_word l m); [reflexivity|]|].
        + unfold blank_word in *. replace (m - 1) with (top - 1 + (m - top)) by (unfold m; lia).
          replace (m + period - 1) with (top + period - 1 + (m - top)) by (unfold m; lia).
          now apply repeats_later.
        + unfold blank_tape in *. replace m with (top + (m - top)) at 1 by (unfold m; lia).
          replace (m + period) with (top + period + (m - top)) by (unfold m; lia).
          now apply repeats_later. }
    assert (Forwards : forall k, In k strides -> 0 < k).
    { intros k I. unfold strides in I. apply in_map_iff in I as (a & <- & I).
      pose proof (Positive a I). lia. }
    intros n N0. pose proof (All n N0) as First.
    rewrite <- (truth_says (N.of_nat top) (N.of_nat period) claim _ Settled).
    assert (R : if truth claim (N.of_nat n) then loses misere steps n [0] else wins misere steps n
      [0]).
    { unfold first_loses in First.
      destruct (Nat.ltb_spec n from) as [L|L]; [now apply searched_right|].
      destruct (accepts l (blank_tape l n)) eqn:A; [|discriminate].
      pose proof (start_right Forwards n ltac:(lia) Z Fits ltac:(intros a I;
        pose proof (Positive a I); lia) l ltac:(now rewrite El) A) as R.
      unfold spoken in R. fold (blank_word l n) in R.
      destruct (said l (blank_word l n)); [discriminate|injection First as <-; exact R..]. }
    destruct (truth claim (N.of_nat n)); split; intro H; auto; try discriminate.
    exfalso. exact (not_both_here misere steps n N0 [0] H R).
  Qed.
End Laps.

(** * Reading *)

(** From how many cells on circles are of the laps; from how many on outcomes are periodic, and the
    period. *)
Record proof_by_laps :=
  { of_laps : nat; repeating_from : nat; repeating : nat; laps_of : list lap }.

(** So many states, in their order from this one on; no more than there are numbers. *)
Fixpoint states_reader {A} (r : reader A) (fuel : list N) (k : N) (s : positive) (d : table A)
  (l : list N) : table A * list N :=
  match k, fuel, l with
  | Npos _, _ :: fuel, _ :: _ =>
    let (zero, l) := state l in let (one, l) := state l in let (a, l) := r l in
    states_reader r fuel (N.pred k) (Pos.succ s) (PositiveMap.add s (zero, one, a) d) l
  | _, _, _ => (d, l)
  end.
Definition table_reader {A} (r : reader A) : reader (table A) := fun l =>
  let (k, l) := number l in states_reader r l k begins (PositiveMap.empty _) l.

(** A number of which more than so much makes no difference, and so many things at most. *)
Definition at_most (most : N) : reader nat := map_reader (fun x => N.to_nat (N.min x most)) number.
Definition few_of {A} (most : N) (r : reader A) : reader (list A) :=
  fun l => let (k, l) := at_most most l in times_reader k r l.

Definition letter_reader : reader letter :=
  map_reader (fun x => match x with 0 => None | 1 => Some Silent | 2 => Some Lost | _ =>
    Some Won end%N) number.
Definition mark_reader : reader mark :=
  map_reader (fun x => match x with 0 => Silent | 1 => Lost | _ => Won end%N) number.

Definition lap_reader : reader lap := fun l =>
  let (t, l) := table_reader (map_reader (fun x => negb (N.eqb x 0)) number) l in
  let (c, l) := table_reader (pair_reader state (few_of 12 letter_reader)) l in
  let (w, l) := table_reader mark_reader l in
  ({| tapes := t; classes := c; ahead := w |}, l).

Definition laps_reader : reader proof_by_laps := fun l =>
  let (from, l) := at_most 4097 l in let (top, l) := at_most 4097 l in let (period, l) :=
    at_most 4097 l in
  let (laps, l) := few_of 64 lap_reader l in
  ({| of_laps := from; repeating_from := top; repeating := period; laps_of := laps |}, l).

Definition proved_by_laps (misere : bool) (steps : list Z) (claim : formula) (p : proof_by_laps) :
  bool :=
  fine_laps misere steps (laps_of p) claim (of_laps p) (repeating_from p) (repeating p).

Theorem proved_by_laps_right misere steps claim p : proved_by_laps misere steps claim p = true ->
  forall n, 0 < n -> (loses misere steps n [0] <-> fden claim (only (N.of_nat n))).
Proof. apply laps_right. Qed.

Print Assumptions proved_by_laps_right.
