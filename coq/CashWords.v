(** NIM with Cash: values v of c and n as paths in c, for n = i + Pk one path for each i, whose
    pieces grow with k (docs/certificates.md, "words"). By induction on n it is enough that on paths
    that grow with k that of n is the greatest of -a - that of n - a, for all c and k at once; this
    is examined cell by cell, where a cell ends where one of these paths begins a new piece
    ([cells_right]). *)

From Coq Require Import List Arith NArith ZArith Lia Bool Wf_nat.
From Bouton Require Import Positions CashWindows.
Import ListNotations.
Open Scope Z_scope.

(** * What a certificate says *)

(** A number that grows with k: so much each, and a base. *)
Definition affine : Type := Z * Z.
Definition at_k (f : affine) (k : Z) : Z := fst f * k + snd f.

(** Steps and how often they come; a path begins at a value, takes the steps of its pieces in order,
    and then one step again and again. Steps are 1 or -1. *)
Definition piece : Type := list Z * affine.
Record path := { start_value : Z; last_step : Z; pieces : list piece }.

(** So many paths, for n from this multiple of their number on. *)
Record words := { paths : list path; first_k : nat }.

Definition total (l : list Z) : Z := fold_right Z.add 0 l.
Definition size (l : list Z) : Z := Z.of_nat (length l).

(** After x steps of these again and again. *)
Definition climb (steps : list Z) (x : Z) : Z :=
  total steps * (x / size steps) + total (firstn (Z.to_nat (x mod size steps)) steps).

Fixpoint rise (l : list piece) (last k c : Z) : Z :=
  match l with
  | [] => last * c
  | (steps, times) :: l =>
    let long := size steps * at_k times k in
    if c <? long then climb steps c else total steps * at_k times k + rise l last k (c - long)
  end.

Definition path_value (p : path) (k c : Z) : Z := start_value p + rise (pieces p) (last_step p) k c.

Definition no_path : path := {| start_value := 0; last_step := 0; pieces := [] |}.

(** v of n stones at c: below the paths it is what the recurrence says. *)
Definition words_value (A : list nat) (w : words) (c : Z) (n : nat) : Z :=
  let P := length (paths w) in
  if (n <? P * first_k w)%nat then worth A c n else path_value (nth (n mod P) (paths w) no_path)
    (Z.of_nat (n / P)) c.

(** * Paths as parts *)

Record part := { begins : affine; has : affine; goes : list Z }.

Definition plus_affine (f g : affine) (x : Z) : affine := (fst f + x * fst g, snd f + x * snd g).
Lemma at_plus f g x k : at_k (plus_affine f g x) k = at_k f k + x * at_k g k.
Proof. unfold at_k, plus_affine. cbn [fst snd]. lia. Qed.

Definition part_value (p : part) (k c : Z) : Z :=
  at_k (has p) k + climb (goes p) (c - at_k (begins p) k).

Fixpoint track_value (l : list part) (k c : Z) : Z :=
  match l with
  | [] => 0
  | p :: r => match r with [] => part_value p k c | q :: _ => if c <? at_k (begins q) k then
    part_value p k c else track_value r k c end
  end.

(** The parts of s times a path, for k - [delay] instead of k. *)
Fixpoint parts_of (s delay : Z) (from value : affine) (l : list piece) (last : Z) : list part :=
  match l with
  | [] => [{| begins := from; has := value; goes := [s * last] |}]
  | (steps, times) :: l =>
    let times := (fst times, snd times - delay * fst times) in
    {| begins := from; has := value; goes := map (Z.mul s) steps |} ::
    parts_of s delay (plus_affine from times (size steps))
      (plus_affine value times (s * total steps)) l last
  end.

Definition track_of (s delay shift : Z) (p : path) : list part :=
  parts_of s delay (0, 0) (0, s * start_value p + shift) (pieces p) (last_step p).

Lemma total_times s l : total (map (Z.mul s) l) = s * total l.
Proof. unfold total. induction l as [|x l IH]; cbn [map fold_right]; [lia|]. rewrite IH. lia. Qed.

Lemma size_map s l : size (map (Z.mul s) l) = size l.
Proof. unfold size. now rewrite map_length. Qed.

Lemma climb_times s l x : climb (map (Z.mul s) l) x = s * climb l x.
Proof. unfold climb. rewrite size_map, total_times, firstn_map, total_times. lia. Qed.

Lemma climb_one s x : climb [s] x = s * x.
Proof.
  unfold climb, size, total. cbn [length fold_right]. change (Z.of_nat 1) with 1.
  rewrite Z.div_1_r, Z.mod_1_r. cbn. lia.
Qed.

Lemma track_parts s delay last k l : forall from value c,
  track_value (parts_of s delay from value l last) k c = at_k value k + s * rise l last (k - delay)
    (c - at_k from k).
Proof.
  induction l as [|[steps times] l IH]; intros from value c; cbn [parts_of rise track_value].
  - unfold part_value. cbn [begins has goes]. rewrite climb_one. lia.
  - set (later := (fst times, snd times - delay * fst times)).
    assert (E : at_k later k = at_k times (k - delay)) by (unfold at_k, later; cbn [fst snd]; lia).
    set (from' := plus_affine from later (size steps)).
    set (value' := plus_affine value later (s * total steps)).
    assert (B : exists q r, parts_of s delay from' value' l last = q :: r /\ begins q = from').
    { destruct l as [|[steps' times'] l]; cbn [parts_of]; eexists; eexists;
        (split; [reflexivity|reflexivity]). }
    specialize (IH from' value' c). destruct B as (q & r & B & Bq). rewrite B in *. rewrite Bq.
    assert (F : at_k from' k = at_k from k + size steps * at_k times (k - delay)) by (unfold from';
      rewrite at_plus, E; reflexivity).
    destruct (Z.ltb_spec c (at_k from' k)) as [L|L];
      destruct (Z.ltb_spec (c - at_k from k) (size steps * at_k times (k - delay))) as [L'|L'];
        try lia.
    + unfold part_value. cbn [begins has goes]. rewrite climb_times. lia.
    + rewrite IH. unfold value'. rewrite at_plus, E. rewrite F.
      replace (c - (at_k from k + size steps * at_k times (k - delay))) with
        (c - at_k from k - size steps * at_k times (k - delay)) by lia. lia.
Qed.

Lemma track_right s delay shift p k c :
  track_value (track_of s delay shift p) k c = s * path_value p (k - delay) c + shift.
Proof.
  unfold track_of, path_value. rewrite track_parts. unfold at_k at 1 2. cbn [fst snd].
  replace (c - (0 * k + 0)) with c by lia. lia.
Qed.

(** * One cell *)

(** The first is the greatest of the others. *)
Definition greatest_of (x : Z) (l : list Z) : Prop := In x l /\ forall y, In y l -> y <= x.

Section Cells.
  Variable first : Z.   (* for k from here on *)

  (** One is at most the other for all these k. *)
  Definition before (f g : affine) : bool := (at_k f first <=? at_k g first) && (fst f <=? fst g).
  Lemma before_right f g k : before f g = true -> first <= k -> at_k f k <= at_k g k.
  Proof. unfold before, at_k. rewrite andb_true_iff, !Z.leb_le. nia. Qed.

  Definition same_affine (f g : affine) : bool := (fst f =? fst g) && (snd f =? snd g).
  Lemma same_affine_eq f g : same_affine f g = true -> f = g.
  Proof. destruct f, g. unfold same_affine. cbn [fst snd]. rewrite andb_true_iff, !Z.eqb_eq.
  intros [-> ->]. reflexivity. Qed.

  (** The value of a part [offset] + [period] y steps behind [from]: a number that grows with k, and
      what each y adds. *)
  Definition form_of (from : affine) (period : Z) (p : part) (offset : Z) : affine * Z :=
    let long := size (goes p) in
    let net := total (goes p) in
    let gone := snd from - snd (begins p) + offset in
    ((fst (has p) + net * ((fst from - fst (begins p)) / long),
      snd (has p) + net * (gone / long) + total (firstn (Z.to_nat (gone mod long)) (goes p))),
     net * (period / long)).

  Definition fits_in (from : affine) (period : Z) (p : part) : bool :=
    (1 <=? size (goes p)) && ((fst from - fst (begins p)) mod size (goes p) =? 0) &&
      (period mod size (goes p) =? 0).

  Lemma form_right from period p offset k y : fits_in from period p = true ->
    part_value p k (at_k from k + offset + period * y) =
    at_k (fst (form_of from period p offset)) k + snd (form_of from period p offset) * y.
  Proof.
    unfold fits_in, form_of, part_value, climb. rewrite !andb_true_iff, Z.leb_le, !Z.eqb_eq.
    intros [[L D] E].
    set (long := size (goes p)) in *. set (net := total (goes p)). cbn [fst snd].
    set (gone := snd from - snd (begins p) + offset). set (q := (fst from - fst (begins p)) / long).
    set (r := period / long).
    assert (Q : fst from - fst (begins p) = long * q).
    { pose proof (Z.div_mod (fst from - fst (begins p)) long ltac:(lia)) as X. rewrite D in X.
      unfold q. lia. }
    assert (R : period = long * r).
    { pose proof (Z.div_mod period long ltac:(lia)) as X. rewrite E in X. unfold r. lia. }
    replace (at_k from k + offset + period * y - at_k (begins p) k) with
      (gone + (q * k + r * y) * long)
      by (unfold at_k, gone; replace (fst from) with (fst (begins p) + long * q) by lia; rewrite R;
        ring).
    rewrite Z.div_add, Z.mod_add by lia. unfold at_k. cbn [fst snd]. ring.
  Qed.

  (** How far y may go: as long as period y <= what this is. *)
  Definition reach_of (long : affine) (period offset : Z) : Z :=
    let last := at_k long first - 1 - offset in
    if fst long mod period =? 0 then last / period * period else last.

  (** The gap between the claim and an option: at least 0 for all k, and for all y that belong to
      the cell. *)
  Definition gap_fine (long : option affine) (period offset : Z) (best other : affine * Z) : bool :=
    let gap := plus_affine (fst best) (fst other) (-1) in
    let rate := snd best - snd other in
    (0 <=? at_k gap first) && (0 <=? fst gap) &&
    ((0 <=? rate) ||
     match long with
     | None => false
     | Some long =>
       (0 <=? at_k gap first * period + rate * reach_of long period offset) &&
         (0 <=? fst gap * period + rate * fst long)
     end).

  Lemma gap_right long period offset best other k y :
    gap_fine long period offset best other = true -> first <= k -> 0 <= y -> 1 <= period ->
    (forall l, long = Some l -> offset + period * y < at_k l k) ->
    at_k (fst other) k + snd other * y <= at_k (fst best) k + snd best * y.
  Proof.
    unfold gap_fine. set (gap := plus_affine (fst best) (fst other) (-1)).
    set (rate := snd best - snd other).
    rewrite !andb_true_iff, orb_true_iff, !Z.leb_le. intros [[G1 G2] F] K Y P Long.
    assert (G : at_k gap k = at_k (fst best) k - at_k (fst other) k) by (unfold gap;
      rewrite at_plus; lia).
    enough (0 <= at_k gap k + rate * y) by (unfold rate in *; lia).
    assert (G0 : 0 <= at_k gap k) by (unfold at_k in *; nia).
    destruct F as [F|F]; [nia|]. destruct long as [l|]; [|discriminate].
    rewrite andb_true_iff, !Z.leb_le in F. destruct F as [F1 F2].
    specialize (Long l eq_refl). destruct (Z_le_gt_dec 0 rate) as [R|R]; [nia|].
    assert (Near : period * y <= reach_of l period offset + fst l * (k - first)).
    { assert (X : period * y <= at_k l first - 1 - offset + fst l * (k - first)) by
        (unfold at_k in *; nia).
      unfold reach_of. destruct (Z.eqb_spec (fst l mod period) 0) as [E|E]; [|exact X].
      pose proof (Z.div_mod (fst l) period ltac:(lia)) as D. rewrite E in D.
      set (u := fst l / period) in *.
      set (last := at_k l first - 1 - offset) in *.
      assert (Z : y - u * (k - first) <= last / period) by (apply Z.div_le_lower_bound; nia). nia. }
    assert (W : 0 <= (at_k gap k + rate * y) * period); [|nia].
    assert (E : at_k gap k = at_k gap first + fst gap * (k - first)) by (unfold at_k; ring).
    rewrite E.
    assert (N : rate * (reach_of l period offset + fst l * (k - first)) <= rate * (period * y)) by
      nia.
    nia.
  Qed.

  (** At one offset: an option is the claim, and none is more. *)
  Definition offset_fine (long : option affine) (period offset : Z) (best : affine * Z)
    (others : list (affine * Z)) : bool :=
    existsb (fun o => same_affine (fst o) (fst best) && (snd o =? snd best)) others &&
    forallb (gap_fine long period offset best) others.

  Fixpoint offsets_fine (count : nat) (offset : Z) (f : Z -> bool) : bool :=
    match count with O => true | S count => f offset && offsets_fine count (offset + 1) f end.

  Lemma offsets_right count f : forall offset x, offsets_fine count offset f = true ->
    offset <= x < offset + Z.of_nat count -> f x = true.
  Proof.
    induction count as [|count IH]; intros offset x H L; [lia|]. cbn [offsets_fine] in H.
    apply andb_true_iff in H as [H1 H2].
    destruct (Z.eq_dec x offset) as [->|]; [exact H1|]. apply (IH (offset + 1)); [exact H2|lia].
  Qed.

  (** All places from [from] on, and before [until]. A cell of fixed length is looked at place by
      place. *)
  Definition cell_fine (from : affine) (until : option affine) (claim : part) (options : list part)
    : bool :=
    let long := option_map (fun u => plus_affine u from (-1)) until in
    let fixed := match long with Some l => fst l =? 0 | None => false end in
    if fixed then
      let count := match long with Some l => snd l | None => 0 end in
      (count <=? 16777216) && forallb (fits_in from 0) (claim :: options) &&
      offsets_fine (Z.to_nat count) 0 (fun offset =>
        offset_fine None 1 offset (form_of from 0 claim offset)
          (map (fun o => form_of from 0 o offset) options))
    else
      let period := fold_right (fun p => Z.lcm (size (goes p))) 1 (claim :: options) in
      (1 <=? period) && (period <=? 1048576) && forallb (fits_in from period) (claim :: options) &&
      offsets_fine (Z.to_nat period) 0 (fun offset =>
        offset_fine long period offset (form_of from period claim offset)
          (map (fun o => form_of from period o offset) options)).

  Lemma offset_right long period0 period offset from claim options k y c :
    offset_fine long period offset (form_of from period0 claim offset)
      (map (fun o => form_of from period0 o offset) options) = true ->
    forallb (fits_in from period0) (claim :: options) = true -> first <= k -> 0 <= y ->
      1 <= period ->
    (forall l, long = Some l -> offset + period * y < at_k l k) ->
      c = at_k from k + offset + period0 * y ->
    greatest_of (part_value claim k c) (map (fun o => part_value o k c) options).
  Proof.
    unfold offset_fine. rewrite andb_true_iff, existsb_exists.
    intros [(x & Ix & E) G] F K Y P Long ->.
    rewrite forallb_forall in F, G.
    rewrite (form_right from period0 claim offset k y) by (apply F; now left). split.
    - apply in_map_iff in Ix as (o & <- & Io). apply andb_true_iff in E as [E1 E2].
      apply same_affine_eq in E1. apply Z.eqb_eq in E2.
      apply in_map_iff. exists o. split; [|exact Io].
      rewrite (form_right from period0 o offset k y) by (apply F; now right). now rewrite E1, E2.
    - intros z Iz. apply in_map_iff in Iz as (o & <- & Io).
      rewrite (form_right from period0 o offset k y) by (apply F; now right).
      apply (gap_right long period offset); auto. apply G.
      now apply (in_map (fun o => form_of from period0 o offset)).
  Qed.

  Lemma cell_right from until claim options k c : cell_fine from until claim options = true ->
    first <= k ->
    at_k from k <= c -> (forall u, until = Some u -> c < at_k u k) ->
    greatest_of (part_value claim k c) (map (fun o => part_value o k c) options).
  Proof.
    unfold cell_fine. intros H K L U. set (long := option_map _ until) in *.
    assert (Long : forall l, long = Some l -> c - at_k from k < at_k l k).
    { intros l E. unfold long in E. destruct until as [u|]; [|discriminate]. injection E as <-.
      rewrite at_plus. specialize (U u eq_refl). lia. }
    destruct (match long with Some l => fst l =? 0 | None => false end) eqn:Fixed.
    - destruct long as [l|]; [|discriminate]. apply Z.eqb_eq in Fixed. rewrite !andb_true_iff in H.
      destruct H as [[_ F] H].
      specialize (Long l eq_refl).
      assert (E : at_k l k = snd l) by (unfold at_k; rewrite Fixed; lia). rewrite E in Long.
      apply (offsets_right _ _ 0 (c - at_k from k)) in H; [|lia].
      apply (offset_right None 0 1 (c - at_k from k) from claim options k 0 c H F K); try lia.
      intros l' X. discriminate.
    - cbv zeta in H. set (period := fold_right _ _ _) in *. rewrite !andb_true_iff, !Z.leb_le in H.
      destruct H as [[[P _] F] H].
      set (x := c - at_k from k) in *. pose proof (Z.div_mod x period ltac:(lia)) as D.
      pose proof (Z.mod_pos_bound x period ltac:(lia)) as B.
      apply (offsets_right _ _ 0 (x mod period)) in H; [|lia].
      apply (offset_right long period period (x mod period) from claim options k (x / period) c H F
        K); try lia.
      + apply Z.div_pos; lia.
      + intros l E. specialize (Long l E). lia.
  Qed.

  (** ** All cells *)

  Definition next_turn (t : list part) : option affine :=
    match t with _ :: q :: _ => Some (begins q) | _ => None end.

  Definition sooner (f : affine) (o : option affine) : option affine :=
    match o with None => Some f | Some g => if before f g then Some f else Some g end.
  Definition soonest (l : list (list part)) : option affine :=
    fold_right (fun t o => match next_turn t with Some f => sooner f o | None => o end) None l.

  (** Whether no path turns before this. *)
  Definition is_soonest (u : option affine) (l : list (list part)) : bool :=
    forallb (fun t => match next_turn t with
      | Some f => match u with Some u => before u f | None => false end
      | None => true
      end) l.

  Definition turned (u : affine) (t : list part) : list part :=
    match t with
    | p :: r => match r with q :: _ => if same_affine (begins q) u then r else t | [] => t end
    | [] => t
    end.

  Definition head_of (t : list part) : part :=
    match t with p :: _ => p | [] => {| begins := (0, 0); has := (0, 0); goes := [] |} end.

  Fixpoint cells (fuel : nat) (from : affine) (claim : list part) (options : list (list part)) :
    bool :=
    match fuel with
    | O => false
    | S fuel =>
      let u := soonest (claim :: options) in
      is_soonest u (claim :: options) &&
      match u with
      | None => cell_fine from None (head_of claim) (map head_of options)
      | Some u =>
        (same_affine from u || cell_fine from (Some u) (head_of claim) (map head_of options)) &&
        cells fuel u (turned u claim) (map (turned u) options)
      end
    end.

  Lemma head_value t k c u : t <> [] -> (forall f, next_turn t = Some f -> exists g, u = Some g /\
    before g f = true) -> first <= k ->
    (forall g, u = Some g -> c < at_k g k) -> track_value t k c = part_value (head_of t) k c.
  Proof.
    intros Ne N K C. destruct t as [|p [|q r]]; [easy|reflexivity|]. cbn [track_value head_of].
    destruct (N (begins q) eq_refl) as (g & -> & B). pose proof (before_right g (begins q) k B K).
    specialize (C g eq_refl).
    destruct (Z.ltb_spec c (at_k (begins q) k)); [reflexivity|lia].
  Qed.

  Lemma turned_value t k c u : at_k u k <= c -> track_value (turned u t) k c = track_value t k c.
  Proof.
    intro C. destruct t as [|p [|q r]]; [reflexivity|reflexivity|]. cbn [turned].
    destruct (same_affine (begins q) u) eqn:E; [|reflexivity]. apply same_affine_eq in E.
    change (track_value (p :: q :: r) k c) with
      (if c <? at_k (begins q) k then part_value p k c else track_value (q :: r) k c).
    rewrite E. destruct (Z.ltb_spec c (at_k u k)); [lia|reflexivity].
  Qed.

  Lemma turned_some t u : t <> [] -> turned u t <> [].
  Proof. destruct t as [|p [|q r]]; cbn [turned]; try easy.
  destruct (same_affine (begins q) u); easy. Qed.

  Theorem cells_right fuel : forall from claim options k c,
    cells fuel from claim options = true -> claim <> [] -> (forall t, In t options -> t <> []) ->
      first <= k -> at_k from k <= c ->
    greatest_of (track_value claim k c) (map (fun t => track_value t k c) options).
  Proof.
    induction fuel as [|fuel IH]; intros from claim options k c H Ne Nes K C; [discriminate|].
    cbn [cells] in H.
    set (u := soonest (claim :: options)) in *. apply andb_true_iff in H as [S H].
    unfold is_soonest in S. rewrite forallb_forall in S.
    assert (Now : cell_fine from u (head_of claim) (map head_of options) = true ->
      (forall g, u = Some g -> c < at_k g k) ->
      greatest_of (track_value claim k c) (map (fun t => track_value t k c) options)).
    { intros F U. assert (V : forall t, In t (claim :: options) -> t <> [] ->
        track_value t k c = part_value (head_of t) k c).
      { intros t I Nt. apply (head_value t k c u Nt); auto. intros f E. specialize (S t I).
        rewrite E in S.
        destruct u as [g|]; [now exists g|discriminate]. }
      rewrite (V claim) by (assumption || now left).
      replace (map (fun t => track_value t k c) options) with
        (map (fun o => part_value o k c) (map head_of options)).
      - now apply (cell_right from u).
      - rewrite map_map. apply map_ext_in. intros t I. symmetry. apply V; [now right|now apply Nes].
        }
    destruct u as [u|]; [|apply Now; [exact H|discriminate]]. apply andb_true_iff in H as [H1 H2].
    destruct (Z_lt_le_dec c (at_k u k)) as [L|L].
    - apply orb_true_iff in H1 as [E|F]; [apply same_affine_eq in E as <-; lia|].
      apply Now; [exact F|]. intros g E. now injection E as <-.
    - rewrite <- (turned_value claim k c u L).
      replace (map (fun t => track_value t k c) options) with
        (map (fun t => track_value t k c) (map (turned u) options)).
      + apply (IH u); auto; [now apply turned_some|]. intros t I.
        apply in_map_iff in I as (t' & <- & I). now apply turned_some, Nes.
      + rewrite map_map. apply map_ext. intro t. now apply turned_value.
  Qed.
End Cells.

(** * Checking *)

Fixpoint worths (A : list nat) (k : nat) (s : Z) (past : list Z) : list Z :=
  match k with O => past | S k => worths A k (s + 1) (next_value A s past :: past) end.

Fixpoint length_at (l : list piece) (k : Z) : Z :=
  match l with [] => 0 | (steps, times) :: l => size steps * at_k times k + length_at l k end.

Definition path_fine (K : Z) (p : path) : bool :=
  forallb (fun x => (0 <=? fst (snd x)) && (0 <=? at_k (snd x) K) && (1 <=? size (fst x)))
    (pieces p).

(** The path and the k of so many stones. *)
Definition place_of (w : words) (n : nat) : path * Z :=
  (nth (n mod length (paths w)) (paths w) no_path, Z.of_nat (n / length (paths w))).

(** The first of these paths, as many as the greatest amount, for all c: until they are lines, and
    their lines. *)
Definition base_fits (A : list nat) (M : nat) (w : words) : bool :=
  let n := (length (paths w) * first_k w)%nat in
  let places := map (place_of w) (seq n M) in
  let lines := skipn n (rev_append (table A (n + M) 0 []) []) in
  let longest := fold_right (fun x => Z.max (length_at (pieces (fst x)) (snd x)))
    (fold_right (fun l => Z.max (start l)) 0 lines) places in
  both (fun l x => last_step (fst x) =? if up l then 1 else -1) lines places &&
  offsets_fine (Z.to_nat (longest + 1)) 0 (fun c =>
    same_by Z.eqb (rev_append (firstn M (worths A (n + M) c [])) [])
      (map (fun x => path_value (fst x) (snd x) c) places)).

(** The path i for all k from the first on that the base does not cover. *)
Definition step_fits (A : list nat) (M : nat) (w : words) (i : nat) : bool :=
  let P := Z.of_nat (length (paths w)) in
  let first := Z.of_nat (first_k w) + (Z.max 0 (Z.of_nat M - Z.of_nat i) + P - 1) / P in
  let claim := track_of 1 0 0 (nth i (paths w) no_path) in
  let options := map (fun a =>
    let b := Z.of_nat i - Z.of_nat a in
    track_of (-1) (- (b / P)) (- Z.of_nat a) (nth (Z.to_nat (b mod P)) (paths w) no_path)) A in
  cells first (fold_right (fun t m => (length t + m)%nat) 1%nat (claim :: options)) (0, 0) claim
    options.

Definition words_fit (A : list nat) (least : nat) (w : words) : bool :=
  let M := fold_left Nat.max A O in
  existsb (Nat.eqb least) A && forallb (fun a => Nat.leb 1 a && Nat.leb least a) A &&
  Nat.leb 1 (length (paths w)) && (Z.of_nat (length (paths w)) * Z.of_nat (first_k w) <=? 65536) &&
  forallb (path_fine (Z.of_nat (first_k w))) (paths w) && base_fits A M w && forallb
    (step_fits A M w) (seq 0 (length (paths w))).

(** ** Soundness *)

Lemma rise_far K k last l : forall c,
  forallb (fun x => (0 <=? fst (snd x)) && (0 <=? at_k (snd x) K) && (1 <=? size (fst x))) l =
    true -> K <= k ->
  length_at l k <= c -> rise l last k c = rise l last k (length_at l k) + last *
    (c - length_at l k).
Proof.
  induction l as [|[steps times] l IH]; intros c F L C; cbn [length_at rise] in *; [lia|].
  cbn [forallb fst snd] in F. apply andb_true_iff in F as [F1 F].
  rewrite !andb_true_iff, !Z.leb_le in F1. destruct F1 as [[F1 F2] F3].
  assert (T : 0 <= at_k times k) by (unfold at_k in *; nia).
  assert (N : forall m, forallb (fun x => (0 <=? fst (snd x)) && (0 <=? at_k (snd x) K) &&
    (1 <=? size (fst x))) m = true -> 0 <= length_at m k).
  { induction m as [|[s t] m IHm]; intro X; cbn [length_at]; [lia|]. cbn [forallb fst snd] in X.
    apply andb_true_iff in X as [X1 X].
    rewrite !andb_true_iff, !Z.leb_le in X1. specialize (IHm X).
    assert (0 <= at_k t k) by (unfold at_k in *; nia). nia. }
  specialize (N l F). destruct (Z.ltb_spec c (size steps * at_k times k)); [lia|].
  destruct (Z.ltb_spec (size steps * at_k times k + length_at l k) (size steps * at_k times k));
    [lia|].
  rewrite (IH (c - size steps * at_k times k)) by (assumption || lia).
  replace (size steps * at_k times k + length_at l k - size steps * at_k times k) with
    (length_at l k) by lia. lia.
Qed.

Lemma fold_max_ge {T} (f : T -> Z) l x : x <= fold_right (fun y => Z.max (f y)) x l /\
  forall y, In y l -> f y <= fold_right (fun y => Z.max (f y)) x l.
Proof.
  induction l as [|z l [IH1 IH2]]; cbn [fold_right In]; [split; [lia|tauto]|]. split; [lia|].
  intros y [<-|I]; [lia|]. specialize (IH2 y I). lia.
Qed.

Lemma worths_right A (pos : forall a, In a A -> (0 < a)%nat) c k : forall past,
  past_of (fun n x => x = worth A c n) past ->
  past_of (fun n x => x = worth A c n) (worths A k (c + Z.of_nat (length past)) past) /\
  length (worths A k (c + Z.of_nat (length past)) past) = (k + length past)%nat.
Proof.
  induction k as [|k IH]; intros past H; cbn [worths]; [auto|].
  destruct (IH (next_value A (c + Z.of_nat (length past)) past :: past)) as [H1 H2].
  - apply past_cons; [exact H|]. now apply next_value_right.
  - cbn [length] in H1, H2.
    replace (c + Z.of_nat (S (length past))) with (c + Z.of_nat (length past) + 1) in H1, H2 by lia.
    split; [exact H1|]. rewrite H2. lia.
Qed.

Lemma nth_error_rev {T} (l : list T) i : (i < length l)%nat ->
  nth_error (rev l) i = nth_error l (length l - 1 - i).
Proof.
  intro L. destruct l as [|z l]; [cbn [length] in L; lia|].
  rewrite (nth_error_nth' _ z) by (rewrite rev_length; lia).
  rewrite (nth_error_nth' (z :: l) z) by lia. f_equal. rewrite rev_nth by lia. f_equal. lia.
Qed.

(** Words that are examined: they say who wins all positions. *)
Theorem words_right A least w : words_fit A least w = true ->
  forall n d e, N_position (pays A) (n, d, e) <-> claims_win least (words_value A w) n d e.
Proof.
  unfold words_fit. set (M := fold_left Nat.max A O). rewrite !andb_true_iff.
  intros [[[[[[In_A Amounts] P1] _] Fine] Base] Steps].
  apply existsb_exists in In_A as (m & In_A & E). apply Nat.eqb_eq in E as <-.
  rewrite forallb_forall in Amounts, Fine, Steps.
  assert (pos : forall a, In a A -> (0 < a)%nat) by (intros a I; specialize (Amounts a I);
    rewrite andb_true_iff, !Nat.leb_le in Amounts; lia).
  assert (Least : forall a, In a A -> (least <= a)%nat) by (intros a I; specialize (Amounts a I);
    rewrite andb_true_iff, !Nat.leb_le in Amounts; lia).
  assert (most : forall a, In a A -> (a <= M)%nat) by (apply fold_max).
  assert (some : A <> []) by (intros ->; destruct In_A).
  apply Nat.leb_le in P1. set (P := length (paths w)) in *. set (K := first_k w) in *.
  apply (wins_by A pos least In_A Least). unfold words_value. fold P K.
  assert (Fine_at : forall i, path_fine (Z.of_nat K) (nth i (paths w) no_path) = true).
  { intro i. destruct (nth_in_or_default i (paths w) no_path) as [I| ->];
      [now apply Fine|reflexivity]. }
  assert (V : forall n c, (P * K <= n)%nat -> 0 <= c ->
    path_value (fst (place_of w n)) (snd (place_of w n)) c = worth A c n).
  { intro n. induction n as [n IH] using (well_founded_induction lt_wf). intros c Ln C.
    destruct (le_lt_dec (P * K + M) n) as [L|L].
    - (* the step *)
      pose proof (Nat.div_mod n P ltac:(lia)) as D.
      pose proof (Nat.mod_upper_bound n P ltac:(lia)) as B.
      set (i := (n mod P)%nat) in *. set (k := (n / P)%nat) in *.
      assert (F := Steps i ltac:(apply in_seq; lia)). unfold step_fits in F. fold P K in F.
      set (first := _ + _ / _) in F.
      assert (Kf : first <= Z.of_nat k).
      { unfold first. assert (X : (Z.max 0 (Z.of_nat M - Z.of_nat i) + Z.of_nat P - 1) / Z.of_nat P
          < Z.of_nat k - Z.of_nat K + 1); [|lia].
        apply Z.div_lt_upper_bound; [lia|].
        assert (Z.of_nat M - Z.of_nat i <= Z.of_nat P * (Z.of_nat k - Z.of_nat K)) by nia.
        assert (K <= k)%nat by nia. nia. }
      apply (cells_right _ _ _ _ _ (Z.of_nat k) c) in F;
        [|unfold track_of; destruct (pieces _) as [|[] ?]; discriminate| |exact Kf|unfold at_k;
          cbn [fst snd]; lia].
      + rewrite track_right in F. rewrite map_map in F. unfold place_of at 1 2. fold P.
        cbn [fst snd].
        replace (1 * path_value (nth i (paths w) no_path) (Z.of_nat k - 0) c + 0) with
          (path_value (nth i (paths w) no_path) (Z.of_nat k) c) in F
          by (rewrite Z.sub_0_r; lia).
        assert (O : forall a, In a A -> track_value
          (track_of (-1) (- ((Z.of_nat i - Z.of_nat a) / Z.of_nat P)) (- Z.of_nat a)
            (nth (Z.to_nat ((Z.of_nat i - Z.of_nat a) mod Z.of_nat P)) (paths w) no_path))
              (Z.of_nat k) c = - Z.of_nat a - worth A c (n - a)).
        { intros a I. specialize (most a I). specialize (pos a I). rewrite track_right.
          rewrite <- (IH (n - a)%nat) by lia.
          unfold place_of. fold P. cbn [fst snd].
          assert (X : Z.of_nat (n - a) = Z.of_nat i - Z.of_nat a + Z.of_nat k * Z.of_nat P) by nia.
          assert (Q : Z.of_nat ((n - a) / P) = (Z.of_nat i - Z.of_nat a) / Z.of_nat P + Z.of_nat k)
            by (rewrite Nat2Z.inj_div, X, Z.div_add by lia; reflexivity).
          assert (R : ((n - a) mod P)%nat = Z.to_nat ((Z.of_nat i - Z.of_nat a) mod Z.of_nat P)).
          { apply Nat2Z.inj. rewrite Nat2Z.inj_mod, X, Z.mod_add by lia.
            rewrite Z2Nat.id by (apply Z.mod_pos_bound; lia). reflexivity. }
          rewrite Q, R. replace (Z.of_nat k - - ((Z.of_nat i - Z.of_nat a) / Z.of_nat P)) with
            ((Z.of_nat i - Z.of_nat a) / Z.of_nat P + Z.of_nat k) by lia.
          lia. }
        destruct F as [F1 F2]. symmetry. apply (worth_is A pos).
        * apply in_map_iff in F1 as (a & Ea & I). exists a. specialize (most a I). cbv zeta in Ea.
          rewrite O in Ea by exact I. repeat split; [exact I|lia|now symmetry].
        * intros a I _. rewrite <- O by exact I. apply F2.
          now apply (in_map (fun a => track_value (track_of (-1)
            (- ((Z.of_nat i - Z.of_nat a) / Z.of_nat P)) (- Z.of_nat a)
            (nth (Z.to_nat ((Z.of_nat i - Z.of_nat a) mod Z.of_nat P)) (paths w) no_path))
              (Z.of_nat k) c)).
      + intros t I. apply in_map_iff in I as (a & <- & _). unfold track_of.
        destruct (pieces _) as [|[] ?]; discriminate.
    - (* the base *)
      clear IH Steps. unfold base_fits in Base. fold P K in Base. cbv zeta in Base.
      set (places := map (place_of w) (seq (P * K) M)) in *. set (lines := skipn (P * K) _) in *.
      set (longest := fold_right _ _ places) in *.
      apply andb_true_iff in Base as [Tails Rows]. apply both_nth in Tails as [LL Tails].
      assert (Place : nth_error places (n - P * K) = Some (place_of w n)).
      { unfold places. rewrite (map_nth_error _ _ _ (d := n)); [reflexivity|].
        rewrite (nth_error_nth' _ O) by (rewrite seq_length; lia). rewrite seq_nth by lia. f_equal.
        lia. }
      assert (Row : forall c, 0 <= c <= longest ->
        path_value (fst (place_of w n)) (snd (place_of w n)) c = worth A c n).
      { clear c C. intros c C. assert (L0 : 0 <= longest) by lia.
        apply (offsets_right _ _ 0 c) in Rows; [|lia].
        apply same_by_eq in Rows; [|intros x y; apply Z.eqb_eq].
        assert (X : nth_error (map (fun x => path_value (fst x) (snd x) c) places) (n - P * K) =
          Some (path_value (fst (place_of w n)) (snd (place_of w n)) c)) by
            (rewrite (map_nth_error _ _ _ Place); reflexivity).
        rewrite <- Rows, <- rev_alt in X.
        destruct (worths_right A pos c (P * K + M) [] ltac:(intros [|j] x Y; discriminate Y)) as
          [H1 H2]. cbn [length] in H1, H2.
        change (Z.of_nat 0) with 0 in H1, H2. rewrite Z.add_0_r in H1, H2.
        rewrite nth_error_rev in X by (rewrite firstn_length; lia). rewrite firstn_length, H2 in X.
        rewrite nth_error_firstn in X by lia. apply H1 in X. rewrite X, H2. f_equal. lia. }
      destruct (Z_le_gt_dec c longest) as [S|S]; [apply Row; lia|].
      destruct (all_right A pos (P * K + M)) as [Length Right]. set (all := rev_append _ _) in *.
      destruct (nth_error all n) as [l|] eqn:El; [|apply nth_error_None in El; lia].
      assert (In_l : nth_error lines (n - P * K) = Some l) by (unfold lines;
        rewrite nth_error_skipn; rewrite <- El; f_equal; lia).
      destruct (Tails _ l In_l) as (x & Ex & T). rewrite Place in Ex. injection Ex as <-.
      apply Z.eqb_eq in T.
      destruct (Right n l El) as [S0 R].
      assert (B1 : start l <= longest /\ length_at (pieces (fst (place_of w n)))
        (snd (place_of w n)) <= longest).
      { unfold longest. destruct (fold_max_ge (fun x : path * Z =>
          length_at (pieces (fst x)) (snd x)) places
            (fold_right (fun l => Z.max (start l)) 0 lines)) as [X1 X2].
        destruct (fold_max_ge start lines 0) as [_ X3]. specialize (X2 _ (nth_error_In _ _ Place)).
        specialize (X3 l (nth_error_In _ _ In_l)).
        cbv beta in X2. lia. }
      assert (Kn : Z.of_nat K <= snd (place_of w n)).
      { unfold place_of. cbn [snd]. fold P.
        assert (K <= n / P)%nat by (apply Nat.div_le_lower_bound; lia). lia. }
      assert (Far : forall c, longest <= c -> path_value (fst (place_of w n)) (snd (place_of w n)) c
        =
        path_value (fst (place_of w n)) (snd (place_of w n)) longest + last_step
          (fst (place_of w n)) * (c - longest)).
      { clear c C S. intros c C. unfold path_value.
        assert (F : path_fine (Z.of_nat K) (fst (place_of w n)) = true) by apply Fine_at.
        unfold path_fine in F.
        rewrite (rise_far _ _ _ _ c F Kn), (rise_far _ _ _ _ longest F Kn) by lia. ring. }
      rewrite Far by lia. rewrite Row by lia. rewrite (R c), (R longest) by lia. rewrite T.
      destruct (up l); lia. }
  intros c n C. destruct (Nat.ltb_spec n (P * K)) as [L|L]; [reflexivity|]. apply (V n c); lia.
Qed.

(** ** The same words *)

Definition same_path (p q : path) : bool :=
  (start_value p =? start_value q) && (last_step p =? last_step q) &&
  same_by (fun a b => same_by Z.eqb (fst a) (fst b) && same_affine (snd a) (snd b)) (pieces p)
    (pieces q).

Definition same_words (w v : words) : bool :=
  Nat.eqb (first_k w) (first_k v) && same_by same_path (paths w) (paths v).

Lemma same_words_eq w v : same_words w v = true -> w = v.
Proof.
  destruct w, v. unfold same_words. cbn [first_k paths]. rewrite andb_true_iff, Nat.eqb_eq.
  intros [-> H]. f_equal. revert H.
  apply same_by_eq. intros [] []. unfold same_path. cbn [start_value last_step pieces].
  rewrite !andb_true_iff, !Z.eqb_eq. intros [[-> ->] H].
  f_equal. revert H. apply same_by_eq. intros [] []. cbn [fst snd]. rewrite andb_true_iff.
  intros [E H].
  apply same_affine_eq in H as ->. f_equal. revert E. apply same_by_eq. intros x y. apply Z.eqb_eq.
Qed.

(** * Both forms *)

Inductive values := By_window (w : window) | By_words (w : words).

(** v of n stones at c. *)
Definition value_by (A : list nat) (v : values) : Z -> nat -> Z :=
  match v with By_window w => value w | By_words w => words_value A w end.

Definition values_fit (A : list nat) (least : nat) (v : values) : bool :=
  match v with By_window w => fits A least w | By_words w => words_fit A least w end.

Theorem values_right A least v : values_fit A least v = true ->
  forall n d e, N_position (pays A) (n, d, e) <-> claims_win least (value_by A v) n d e.
Proof. destruct v; [apply window_right|apply words_right]. Qed.

Definition same_values (v w : values) : bool :=
  match v, w with
  | By_window v, By_window w => same_window v w
  | By_words v, By_words w => same_words v w
  | _, _ => false
  end.

Lemma same_values_eq v w : same_values v w = true -> v = w.
Proof.
  destruct v, w; cbn [same_values]; intro H; try discriminate; f_equal;
    [now apply same_window_eq|now apply same_words_eq].
Qed.
