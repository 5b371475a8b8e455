(** Certificates as they are written: from the lines [game:] and [claim:] to a statement of
    Verify.v, and the theorem that a certificate that is verified states the truth
    ([certified_sound]).

    The grammar is that of docs/certificates.md as far as it is covered; of everything else nothing
    is read ([None]). A text is a list of the codes of its characters. *)

From Coq Require Import Ascii String.
From Coq Require Import List Arith NArith ZArith Lia Bool.
From Bouton Require Import Positions Formulas Breaking Verify.
From Bouton Require Forms Automatic Zeckendorf CashWindows CashWords Families Orbit.
From Bouton Require Import Data.
Import ListNotations.
Open Scope nat_scope.
Open Scope list_scope.

Definition text := list N.
Definition codes (s : string) : text := map N_of_ascii (list_ascii_of_string s).

(** * Pieces of text *)

Fixpoint same_text (s t : text) : bool :=
  match s, t with
  | [], [] => true
  | x :: s, y :: t => N.eqb x y && same_text s t
  | _, _ => false
  end.

(** What follows a beginning, if the text begins so. *)
Fixpoint after (s t : text) : option text :=
  match s, t with
  | [], _ => Some t
  | x :: s, y :: t => if N.eqb x y then after s t else None
  | _ :: _, [] => None
  end.

Definition before (s t : text) : option text := option_map (@rev N) (after (rev s) (rev t)).

(** What stands between a beginning and an end. *)
Definition within (s e t : text) : option text :=
  match after s t with Some t => before e t | None => None end.

(** The pieces between separators. *)
Fixpoint pieces (fuel : nat) (by_ : text) (t own : text) : list text :=
  match fuel, t with
  | S fuel, x :: r =>
    match after by_ t with
    | Some r => rev own :: pieces fuel by_ r []
    | None => pieces fuel by_ r (x :: own)
    end
  | _, _ => [rev own]
  end.
Definition split (by_ : string) (t : text) : list text := pieces (S (length t)) (codes by_) t [].

Fixpoint all_some {A} (l : list (option A)) : option (list A) :=
  match l with
  | [] => Some []
  | Some a :: l => option_map (cons a) (all_some l)
  | None :: _ => None
  end.

Definition digit (x : N) : option N := if (48 <=? x)%N && (x <=? 57)%N then Some (x - 48)%N else
  None.
Definition is_letter (x : N) : bool := (97 <=? x)%N && (x <=? 122)%N.

Fixpoint numeral (t : text) (so_far : N) : option N :=
  match t with
  | [] => Some so_far
  | x :: t => match digit x with Some d => numeral t (10 * so_far + d)%N | None => None end
  end.
Definition number_of (t : text) : option N :=
  match t with [] => None | _ => if Nat.leb (length t) 15 then numeral t 0 else None end.
(** Numbers of heaps, and places of heaps. *)
Definition count_of (t : text) : option nat :=
  match number_of t with Some x => if N.leb x 26 then Some (N.to_nat x) else None | None =>
    None end.
Definition positive_of (t : text) : option N :=
  match number_of t with Some 0%N => None | x => x end.

(** * Formulas *)

Inductive token :=
| Numeral (k : N)
| Word (w : text)
| Sign (s : text)
| For_some.

Definition signs : list text :=
  map codes ["<=>"; "=>"; "<="; ">="; "!="; "<"; ">"; "="; "&"; "|"; "~"; "+"; "-"; "*"; "("; ")";
    ","; ":"]%string.

Fixpoint first_sign (l : list text) (t : text) : option (text * text) :=
  match l with
  | [] => None
  | s :: l => match after s t with Some r => Some (s, r) | None => first_sign l t end
  end.

(** The longest beginning of such characters. *)
Fixpoint span (f : N -> bool) (t : text) : text * text :=
  match t with
  | x :: r => if f x then let (a, b) := span f r in (x :: a, b) else ([], t)
  | [] => ([], [])
  end.
Definition is_digit (x : N) : bool := match digit x with Some _ => true | None => false end.

Fixpoint tokens (fuel : nat) (t : text) : option (list token) :=
  match fuel, t with
  | _, [] => Some []
  | O, _ => None
  | S fuel, x :: r =>
    if N.eqb x 32 then tokens fuel r
    else if is_digit x then
      let (a, b) := span is_digit t in
      match number_of a with Some k => option_map (cons (Numeral k)) (tokens fuel b) | None =>
        None end
    else if N.eqb x 69 then option_map (cons For_some) (tokens fuel r)
    else if is_letter x then
      let (a, b) := span (fun x => is_letter x || is_digit x) t in
        option_map (cons (Word a)) (tokens fuel b)
    else match first_sign signs t with Some (s, r) => option_map (cons (Sign s)) (tokens fuel r) |
      None => None end
  end.

(** Terms with differences. *)
Inductive expression :=
| Constant (k : N)
| Value (i : nat)
| Sum (a b : expression)
| Difference (a b : expression)
| Multiple (k : N) (a : expression)
| Two (make : term -> term -> term) (a b : expression)
| By (make : term -> N -> term) (a : expression) (k : N)
| Digits_of (k : N) (is : list nat).

(** Without a difference. *)
Fixpoint term_of (e : expression) : option term :=
  let both make a b := match term_of a, term_of b with Some a, Some b => Some (make a b) | _, _ =>
    None end in
  match e with
  | Constant k => Some (Number k)
  | Value i => Some (Heap i)
  | Sum a b => both Plus a b
  | Difference _ _ => None
  | Multiple k a => option_map (Times k) (term_of a)
  | Two make a b => both make a b
  | By make a k => option_map (fun a => make a k) (term_of a)
  | Digits_of k is => Some (Digit_sum k is)
  end.

(** The summands of k times an expression: what is added, and what is subtracted. *)
Fixpoint summands (k : N) (e : expression) : option (list term * list term) :=
  match e with
  | Sum a b =>
    match summands k a, summands k b with
    | Some (p, m), Some (p', m') => Some (p ++ p', m ++ m')
    | _, _ => None
    end
  | Difference a b =>
    match summands k a, summands k b with
    | Some (p, m), Some (p', m') => Some (p ++ m', m ++ p')
    | _, _ => None
    end
  | Multiple c a => summands (k * c) a
  | e =>
    match term_of e with
    | None => None
    | Some t =>
      Some (match k, t with
            | 0%N, _ => []
            | 1%N, t => [t]
            | k, Number x => [Number (k * x)]
            | k, t => [Times k t]
            end, [])
    end
  end.

Definition total (l : list term) : term :=
  match l with [] => Number 0 | t :: l => fold_left Plus l t end.

(** A comparison: what is subtracted on one side is added on the other. *)
Definition compared (s : text) (a b : expression) : option formula :=
  match summands 1 a, summands 1 b with
  | Some (p, m), Some (p', m') =>
    let left := total (p ++ m') in
    let right := total (m ++ p') in
    if same_text s (codes "=") then Some (Equal left right)
    else if same_text s (codes "!=") then Some (Not (Equal left right))
    else if same_text s (codes "<") then Some (Less left right)
    else if same_text s (codes "<=") then Some (AtMost left right)
    else if same_text s (codes ">") then Some (Less right left)
    else if same_text s (codes ">=") then Some (AtMost right left)
    else None
  | _, _ => None
  end.

(** What was read: a term, a formula, or rows of formulas between & and |. *)
Inductive item :=
| Of_numbers (e : expression)
| Of_truth (f : formula)
| All_of (l : list formula)
| Some_of (l : list formula).

Fixpoint row (make : formula -> formula -> formula) (empty : formula) (l : list formula) :
  formula :=
  match l with [] => empty | [f] => f | f :: l => make f (row make empty l) end.

Definition formula_of (i : item) : option formula :=
  match i with
  | Of_numbers _ => None
  | Of_truth f => Some f
  | All_of l => Some (row And (Known true) l)
  | Some_of l => Some (row Or (Known false) l)
  end.

(** The names in scope with their variables, the last first; and the next variable. *)
Definition scope := list (text * nat).

Fixpoint find_name (w : text) (sc : scope) : option nat :=
  match sc with [] => None | (v, i) :: sc => if same_text w v then Some i else find_name w sc end.

(** The modulus of xor3 to xor9. *)
Definition modulus_of (w : text) : option N :=
  match after (codes "xor") w with
  | Some [x] => match digit x with Some d => if N.leb 3 d then Some d else None | None => None end
  | _ => None
  end.

(** How tightly a sign binds, loosest first, and a word. *)
Definition binding (t : token) : option nat :=
  match t with
  | Sign s =>
    if same_text s (codes "<=>") then Some 1 else if same_text s (codes "=>") then Some 2
    else if same_text s (codes "|") then Some 3 else if same_text s (codes "&") then Some 4
    else if existsb (same_text s) (map codes ["="; "!="; "<"; "<="; ">"; ">="]%string) then Some 6
    else if same_text s (codes "+") || same_text s (codes "-") then Some 8
    else if same_text s (codes "*") then Some 9 else None
  | Word w =>
    if same_text w (codes "xor") then Some 7
    else if same_text w (codes "mod") || same_text w (codes "div") then Some 9
    else option_map (fun _ => 7) (modulus_of w)
  | _ => None
  end.

(** The names behind "E", up to the colon. *)
Fixpoint quantified (fuel : nat) (l : list token) : option (list text * list token) :=
  match fuel, l with
  | S fuel, Word w :: Sign s :: l =>
    if same_text s (codes ":") then Some ([w], l)
    else if same_text s (codes ",") then
      match quantified fuel l with Some (ws, l) => Some (w :: ws, l) | None => None end
    else None
  | _, _ => None
  end.

Definition negated (f : formula) := Not f.

(** Names between words like this one: all of one sum; a part of it is no sum of its own. *)
Fixpoint chained (w : text) (sc : scope) (l : list token) : option (list nat * list token) :=
  match l with
  | Word v :: rest =>
    match find_name v sc with
    | Some i =>
      match rest with
      | Word u :: r =>
        if same_text u w then option_map (fun x => (i :: fst x, snd x)) (chained w sc r)
        else Some ([i], rest)
      | _ => Some ([i], rest)
      end
    | None => None
    end
  | _ => None
  end.

(** Names between commas, up to the parenthesis. *)
Fixpoint listed (sc : scope) (l : list token) : option (list nat * list token) :=
  match l with
  | Word v :: Sign s :: r =>
    match find_name v sc with
    | Some i =>
      if same_text s (codes ")") then Some ([i], r)
      else if same_text s (codes ",") then option_map (fun x => (i :: fst x, snd x)) (listed sc r)
      else None
    | None => None
    end
  | _ => None
  end.

(** Whether what follows binds more loosely than these words. *)
Definition loosely (l : list token) : bool :=
  match l with
  | t :: _ => match binding t with Some own => Nat.ltb own 7 | None => true end
  | [] => true
  end.

(** Items from this binding on. *)
Fixpoint item_reader (fuel level : nat) (sc : scope) (next : nat) (l : list token) : option
  (item * nat * list token) :=
  match fuel with
  | O => None
  | S fuel =>
    let start : option (item * nat * list token) :=
      match l with
      | Numeral k :: l => Some (Of_numbers (Constant k), next, l)
      | For_some :: l =>
        match quantified (length l) l with
        | Some (ws, l) =>
          let own := combine ws (seq next (length ws)) in
          match item_reader fuel 0 (rev own ++ sc) (next + length ws) l with
          | Some (i, next, l) =>
            match formula_of i with
            | Some f => Some (Of_truth (fold_right (fun x f => Exists (snd x) f) f own), next, l)
            | None => None
            end
          | None => None
          end
        | None => None
        end
      | Sign s :: l =>
        if same_text s (codes "~") then
          match item_reader fuel 5 sc next l with
          | Some (i, next, l) =>
            match formula_of i with Some f => Some (Of_truth (Not f), next, l) | None => None end
          | None => None
          end
        else if same_text s (codes "(") then
          match item_reader fuel 0 sc next l with
          | Some (i, next, Sign c :: l) =>
            if same_text c (codes ")") then
              match i with
              | Of_numbers e => Some (Of_numbers e, next, l)
              | i => match formula_of i with Some f => Some (Of_truth f, next, l) | None => None end
              end
            else None
          | _ => None
          end
        else None
      | Word w :: l =>
        if same_text w (codes "true") then Some (Of_truth (Known true), next, l)
        else if same_text w (codes "false") then Some (Of_truth (Known false), next, l)
        else if same_text w (codes "min") then arguments fuel Least sc next l
        else if same_text w (codes "max") then arguments fuel Greatest sc next l
        else
          match modulus_of w, l with
          | Some k, Sign s :: r =>
            if same_text s (codes "(") then
              match listed sc r with
              | Some (is, r) => Some (Of_numbers (Digits_of k is), next, r)
              | None => None
              end
            else None
          | Some _, _ => None
          | None, _ =>
            match find_name w sc with Some i => Some (Of_numbers (Value i), next, l) | None =>
              None end
          end
      | [] => None
      end in
    match start with Some (i, next, l) => rest_reader fuel level sc i next l | None => None end
  end

(** The terms in parentheses behind a word. *)
with arguments (fuel : nat) (make : term -> term -> term) (sc : scope) (next : nat) (l : list token)
  :
  option (item * nat * list token) :=
  match fuel with
  | O => None
  | S fuel =>
    match l with
    | Sign s :: l =>
      if same_text s (codes "(") then
        match item_reader fuel 0 sc next l with
        | Some (Of_numbers e, next, l) => more_arguments fuel make sc e next l
        | _ => None
        end
      else None
    | _ => None
    end
  end

with more_arguments (fuel : nat) (make : term -> term -> term) (sc : scope) (e : expression)
  (next : nat) (l : list token) :
  option (item * nat * list token) :=
  match fuel with
  | O => None
  | S fuel =>
    match l with
    | Sign s :: l =>
      if same_text s (codes ")") then Some (Of_numbers e, next, l)
      else if same_text s (codes ",") then
        match item_reader fuel 0 sc next l with
        | Some (Of_numbers e', next, l) => more_arguments fuel make sc (Two make e e') next l
        | _ => None
        end
      else None
    | _ => None
    end
  end

(** What follows an item. *)
with rest_reader (fuel level : nat) (sc : scope) (i : item) (next : nat) (l : list token) : option
  (item * nat * list token) :=
  match fuel with
  | O => None
  | S fuel =>
    match l with
    | t :: l' =>
      match binding t with
      | Some own =>
        if Nat.leb level own then
          match i, t with
          | Of_numbers (Constant k), Sign s =>
            if same_text s (codes "*") then
              match item_reader fuel 10 sc next l' with
              | Some (Of_numbers e, next, l) =>
                rest_reader fuel level sc (Of_numbers match e with Constant j => Constant (k * j) |
                  e => Multiple k e end) next l
              | _ => None
              end
            else
              match item_reader fuel (S own) sc next l' with
              | Some (Of_numbers e, next, l) =>
                if Nat.eqb own 6 then
                  match compared s (Constant k) e with
                  | Some f => rest_reader fuel level sc (Of_truth f) next l
                  | None => None
                  end
                else if same_text s (codes "+") then rest_reader fuel level sc
                  (Of_numbers (Sum (Constant k) e)) next l
                else if same_text s (codes "-") then rest_reader fuel level sc
                  (Of_numbers (Difference (Constant k) e)) next l
                else None
              | _ => None
              end
          | Of_numbers a, Sign s =>
            match item_reader fuel (S own) sc next l' with
            | Some (Of_numbers e, next, l) =>
              if Nat.eqb own 6 then
                match compared s a e with
                | Some f => rest_reader fuel level sc (Of_truth f) next l
                | None => None
                end
              else if same_text s (codes "+") then rest_reader fuel level sc (Of_numbers (Sum a e))
                next l
              else if same_text s (codes "-") then rest_reader fuel level sc
                (Of_numbers (Difference a e)) next l
              else if same_text s (codes "*") then
                match e with Constant k => rest_reader fuel level sc (Of_numbers (Multiple k a))
                  next l | _ => None end
              else None
            | _ => None
            end
          | Of_numbers a, Word w =>
            if same_text w (codes "xor") then
              match item_reader fuel (S own) sc next l' with
              | Some (Of_numbers e, next, l) => rest_reader fuel level sc (Of_numbers (Two Xor a e))
                next l
              | _ => None
              end
            else
              match modulus_of w with
              | Some k =>
                match a, chained w sc l' with
                | Value i, Some (is, l) =>
                  if loosely l
                  then rest_reader fuel level sc (Of_numbers (Digits_of k (i :: is))) next l
                  else None
                | _, _ => None
                end
              | None =>
                match l' with
                | Numeral (Npos k) :: l =>
                  let make := if same_text w (codes "mod") then Remainder else Quotient in
                  rest_reader fuel level sc (Of_numbers (By make a (Npos k))) next l
                | _ => None
                end
              end
          | i, Sign s =>
            match formula_of i with
            | None => None
            | Some f =>
              match item_reader fuel (if Nat.eqb own 2 then 2 else S own) sc next l' with
              | Some (j, next, l) =>
                match formula_of j with
                | None => None
                | Some g =>
                  let joined :=
                    match own, i with
                    | 1, _ => Some (Of_truth (Or (And f g) (And (Not f) (Not g))))
                    | 2, _ => Some (Of_truth (Or (Not f) g))
                    | 3, Some_of fs => Some (Some_of (fs ++ [g]))
                    | 3, _ => Some (Some_of [f; g])
                    | 4, All_of fs => Some (All_of (fs ++ [g]))
                    | 4, _ => Some (All_of [f; g])
                    | _, _ => None
                    end in
                  match joined with Some i => rest_reader fuel level sc i next l | None => None end
                end
              | None => None
              end
            end
          | _, _ => None
          end
        else Some (i, next, l)
      | None => Some (i, next, l)
      end
    | [] => Some (i, next, [])
    end
  end.

(** What a text says over these names, the first of them variable 0. *)
Definition item_over (names : list text) (t : text) : option item :=
  match tokens (S (length t)) t with
  | Some l =>
    match item_reader (4 * length l + 4) 0 (combine names (seq 0 (length names))) (length names) l
      with
    | Some (i, _, []) => Some i
    | _ => None
    end
  | None => None
  end.
Definition formula_over (names : list text) (t : text) : option formula :=
  match item_over names t with Some i => formula_of i | None => None end.
Definition term_over (names : list text) (t : text) : option term :=
  match item_over names t with Some (Of_numbers e) => term_of e | _ => None end.

Definition letters (n : nat) : list text := map (fun i => [N.of_nat (97 + i)]) (seq 0 n).

Definition numbered (letter : string) (n : nat) : list text :=
  let name i := if Nat.ltb i 10 then [N.of_nat (48 + i)] else [N.of_nat (48 + i / 10);
    N.of_nat (48 + i mod 10)] in
  map (fun i => codes letter ++ name i) (seq 0 n).

(** * Expressions in parameters *)

Definition is_capital (x : N) : bool := (65 <=? x)%N && (x <=? 90)%N.

(** Words of letters and digits, and signs. *)
Fixpoint symbols (fuel : nat) (t : text) : option (list token) :=
  match fuel, t with
  | _, [] => Some []
  | O, _ => None
  | S fuel, x :: r =>
    if N.eqb x 32 then symbols fuel r
    else if is_letter x || is_capital x || is_digit x then
      let (a, b) := span (fun x => is_letter x || is_capital x || is_digit x) t in
      if forallb is_digit a then
        match number_of a with
        | Some k => if N.ltb k 4294967296 then option_map (cons (Numeral k)) (symbols fuel b) else
          None
        | None => None
        end
      else option_map (cons (Word a)) (symbols fuel b)
    else match first_sign signs t with Some (s, r) => option_map (cons (Sign s)) (symbols fuel r) |
      None => None end
  end.

(** A number or a sentence. *)
Inductive meaning :=
| A_number (e : Families.expression)
| A_sentence (s : Families.sentence).

(** How tightly a sign binds, loosest first, and a word. *)
Definition tightness (t : token) : option nat :=
  match t with
  | Sign s =>
    if same_text s (codes "|") then Some 1 else if same_text s (codes "&") then Some 2
    else if existsb (same_text s) (map codes ["="; "!="; "<"; "<="; ">"; ">="]%string) then Some 4
    else if same_text s (codes "+") || same_text s (codes "-") then Some 5
    else if same_text s (codes "*") then Some 6 else None
  | Word w => if same_text w (codes "mod") || same_text w (codes "div") then Some 6 else None
  | _ => None
  end.

Definition joined_by (t : token) (m n : meaning) : option meaning :=
  match t, m, n with
  | Sign s, A_number a, A_number b =>
    if same_text s (codes "+") then Some (A_number (Families.Added a b))
    else if same_text s (codes "-") then Some (A_number (Families.Subtracted a b))
    else if same_text s (codes "*") then Some (A_number (Families.Multiplied a b))
    else
      let by_ r := Some (A_sentence (Families.Compared r a b)) in
      if same_text s (codes "=") then by_ Families.Is
      else if same_text s (codes "!=") then by_ Families.Is_not
      else if same_text s (codes "<") then by_ Families.Is_less
      else if same_text s (codes "<=") then by_ Families.Is_at_most
      else if same_text s (codes ">") then by_ Families.Is_more
      else if same_text s (codes ">=") then by_ Families.Is_at_least
      else None
  | Word w, A_number a, A_number b =>
    if same_text w (codes "div") then Some (A_number (Families.Divided a b))
    else if same_text w (codes "mod") then Some (A_number (Families.Rest a b)) else None
  | Sign s, A_sentence f, A_sentence g =>
    if same_text s (codes "|") then Some (A_sentence (Families.One_so f g))
    else if same_text s (codes "&") then Some (A_sentence (Families.All_so f g)) else None
  | _, _, _ => None
  end.

(** What is joined by signs that bind at least so tightly. *)
Fixpoint joined (fuel least : nat) (sc : scope) (l : list token) : option (meaning * list token) :=
  match fuel with
  | O => None
  | S fuel =>
    let start : option (meaning * list token) :=
      match l with
      | Numeral k :: l => Some (A_number (Families.Fixed k), l)
      | Word w :: l => match find_name w sc with Some i => Some (A_number (Families.Named i), l) |
        None => None end
      | Sign s :: l =>
        if same_text s (codes "~") then
          match joined fuel 3 sc l with Some (A_sentence f, l) =>
            Some (A_sentence (Families.Not_so f), l) | _ => None end
        else if same_text s (codes "(") then
          match joined fuel 1 sc l with
          | Some (m, Sign c :: l) => if same_text c (codes ")") then Some (m, l) else None
          | _ => None
          end
        else None
      | _ => None
      end in
    match start with Some (m, l) => joined_further fuel least sc m l | None => None end
  end

with joined_further (fuel least : nat) (sc : scope) (m : meaning) (l : list token) : option
  (meaning * list token) :=
  match fuel with
  | O => None
  | S fuel =>
    match l with
    | t :: r =>
      match tightness t with
      | Some own =>
        if Nat.leb least own then
          match joined fuel (S own) sc r with
          | Some (n, r) => match joined_by t m n with Some m => joined_further fuel least sc m r |
            None => None end
          | None => None
          end
        else Some (m, l)
      | None => Some (m, l)
      end
    | [] => Some (m, [])
    end
  end.

(** What a text says over these names, the first of them variable 0. *)
Definition meaning_over (names : list text) (t : text) : option meaning :=
  match symbols (S (length t)) t with
  | Some l =>
    match joined (4 * length l + 4) 1 (combine names (seq 0 (length names))) l with Some (m, []) =>
      Some m | _ => None end
  | None => None
  end.
Definition expression_over (names : list text) (t : text) : option Families.expression :=
  match meaning_over names t with Some (A_number e) => Some e | _ => None end.
Definition sentence_over (names : list text) (t : text) : option Families.sentence :=
  match meaning_over names t with Some (A_sentence f) => Some f | _ => None end.

(** The names in a text but for mod and div, each once. *)
Definition names_in (l : list token) : list text :=
  fold_left (fun names t =>
    match t with
    | Word w => if existsb (same_text w) (map codes ["mod"; "div"]%string ++ names) then names else
      names ++ [w]
    | _ => names
    end) l [].

(** A parameter is one letter that means nothing else. *)
Definition names_a_parameter (w : text) : bool :=
  match w with [x] => (is_letter x || is_capital x) && negb (existsb (N.eqb x) (codes "andetq")) |
    _ => false end.

Definition amount_over (names : list text) (t : text) : option Families.amount :=
  match split ".." t with
  | [e] => option_map Families.Single (expression_over names e)
  | [least; most] =>
    match expression_over names least, expression_over names most with
    | Some least, Some most => Some (Families.Range least most)
    | _, _ => None
    end
  | _ => None
  end.

(** S(amount,...), or NIM(amount,...;n;d,e): the parameters, whether there are purses, and the
    amounts. *)
Definition game_with_parameters (t : text) : option (list text * bool * list Families.amount) :=
  let game :=
    match within (codes "NIM(") (codes ";n;d,e)") t with
    | Some r => Some (true, r)
    | None => option_map (pair false) (within (codes "S(") (codes ")") t)
    end in
  match game with
  | Some (purses, r) =>
    let texts := split "," r in
    match all_some (map (fun u => symbols (S (length u)) u) (flat_map (split "..") texts)) with
    | Some l =>
      let names := names_in (List.concat l) in
      if forallb names_a_parameter names && negb (existsb (N.eqb 32) r)
      then option_map (pair (names, purses)) (all_some (map (amount_over names) texts))
      else None
    | None => None
    end
  | None => None
  end.

Definition numbers_of_position (purses : bool) : list text :=
  map codes (if purses then ["n"; "d"; "e"] else ["a"])%string.

(** The claim is "for CONDITION, P iff FORM", and stands here from CONDITION on. *)
Definition theorem_with_parameters (game claim : text) : option Families.theorem :=
  match game_with_parameters game, split ", P iff " claim with
  | Some (names, purses, amounts), [condition; form] =>
    match sentence_over names condition, sentence_over (names ++ numbers_of_position purses) form
      with
    | Some c, Some f =>
      Some {| Families.parameters := length names; Families.with_purses := purses;
        Families.amounts := amounts;
              Families.on_condition := c; Families.claimed := f |}
    | _, _ => None
    end
  | _, _ => None
  end.

(** Witnesses of a proof, the number that one takes as a text; an empty one stands for none. *)
Definition witnesses_of (game : text) (l : list N) : option (list Families.witness * list N) :=
  match game_with_parameters game with
  | Some (names, purses, _) =>
    let (ws, l) := list_reader (pair_reader natural (list_reader number)) l in
    let one (w : nat * text) :=
      match snd w with
      | [] => Some (fst w, None)
      | t => option_map (fun e => (fst w, Some e))
        (expression_over (names ++ numbers_of_position purses) t)
      end in
    option_map (fun ws => (ws, l)) (all_some (map one ws))
  | None => None
  end.

(** * Games *)

(** With the orders of heaps that "up to symmetry" means. *)
Inductive outline :=
| Heaps_outline (own : reading) (n : nat) (reach : reach_of_moves) (rule : formula)
| Circles_outline (k most : nat)
| Breaking_outline (code : list N)
(** On so many cells, or on any number of them. *)
| Kotzig_outline (steps : list Z) (cells : option nat)
| Cash_outline (amounts : list nat)
(** So many heaps, and numbers in all. *)
| Memory_outline (heaps numbers : nat) (rule : formula).

(** The first of these that is read. *)
Fixpoint first_some {A} (l : list (option A)) : option A :=
  match l with [] => None | Some a :: _ => Some a | None :: l => first_some l end.

Definition taken (a : N) : formula := Equal (Plus (Heap 1) (Number a)) (Heap 0).

(** One of these amounts from a heap. *)
Definition amounts (t : text) : option (list N) := all_some (map positive_of (split "," t)).
Definition one_of_amounts (l : list N) : formula := row Or (Known false) (map taken l).

Definition with_amount (what : string) (t : text) (f : N -> option formula) : option formula :=
  match after (codes what) t with
  | Some r => match positive_of r with Some a => f a | None => None end
  | None => None
  end.

(** Conditions on the window's k heaps, these before a move and those after it. *)
Definition variation (t : text) (k : nat) : option formula :=
  let lowered i := Plus (Heap (k + i)) in
  let all (f : nat -> formula) := Some (row And (Known true) (map f (seq 0 k))) in
  let total_of from := map Heap (seq from k) in
  first_some [
    with_amount "any=" t (fun a => all (fun i =>
      Or (Equal (Heap (k + i)) (Heap i)) (Equal (lowered i (Number a)) (Heap i))));
    with_amount "each=" t (fun a => all (fun i => Equal (lowered i (Number a)) (Heap i)));
    with_amount "each>=" t (fun a => all (fun i => AtMost (lowered i (Number a)) (Heap i)));
    with_amount "total=" t (fun a => Some (Equal (total (total_of k ++ [Number a]))
      (total (total_of 0))));
    with_amount "total>=" t (fun a => Some (AtMost (total (total_of k ++ [Number a]))
      (total (total_of 0)))) ].

Definition ring (t : text) : option (nat * nat) :=
  match split "," t with
  | [n; k] =>
    match count_of n, count_of k with
    | Some n, Some k => if Nat.leb 1 k && Nat.leb k n then Some (n, k) else None
    | _, _ => None
    end
  | _ => None
  end.

(** The fields between parentheses behind a name. *)
Definition fields (name : string) (t : text) : option (list text) :=
  option_map (split ";") (within (codes name ++ codes "(") (codes ")") t).

Definition octal_digit (x : N) : option N := match digit x with Some d =>
  if N.ltb d 8 then Some d else None | None => None end.

Definition greatest (l : list N) : N := fold_left N.max l 0%N.

(** A game of one field, or of two. *)
Definition with_field {A} (name : string) (t : text) (f : text -> option A) : option A :=
  match fields name t with Some [a] => f a | _ => None end.
Definition with_fields {A} (name : string) (t : text) (f : text -> text -> option A) : option A :=
  match fields name t with Some [a; b] => f a b | _ => None end.

Definition any_taken (own : reading) (n : nat) (reach : reach_of_moves) : option outline :=
  Some (Heaps_outline own n reach (Known true)).

Definition on_ring {A} (t : text) (f : nat -> nat -> option A) : option A :=
  match ring t with Some (n, k) => f n k | None => None end.

Definition moore (b n : text) : option outline :=
  match count_of b, count_of n with
  | Some (S (S b)), Some n => any_taken In_any_order n (Any_of_them (Nat.min (S b) n))
  | _, _ => None
  end.

Definition subtraction (set n : text) : option outline :=
  match amounts set, count_of n with
  | Some l, Some (S n) => Some (Heaps_outline In_any_order (S n) (Neighbours 1) (one_of_amounts l))
  | _, _ => None
  end.

Definition one_pile (set n : text) : option outline :=
  if same_text n (codes "n") then option_map (fun l => Heaps_outline As_it_stands 1 (Neighbours 1)
    (one_of_amounts l)) (amounts set) else None.

(** What may be subtracted are digits 3 of a code. *)
Definition subtraction_code (set : text) : option outline :=
  match amounts set with
  | Some l =>
    if N.leb (greatest l) 4000
    then Some (Breaking_outline (map (fun k => if existsb (N.eqb (N.of_nat k)) l then 3 else 0)%N
      (seq 1 (N.to_nat (greatest l)))))
    else None
  | None => None
  end.

(** Whether this change of heaps takes each window to a window. *)
Definition keeps (f : nat -> nat) (windows : list (list nat)) : bool :=
  forallb (fun w => existsb (fun v =>
    Nat.eqb (length v) (length w) && forallb (fun i => existsb (Nat.eqb (f i)) v) w && forallb
      (fun j => existsb (fun i => Nat.eqb (f i) j) w) v)
    windows) windows.

(** All orders of the heaps, the turns and reflections of the circle of all heaps, or none besides
    the one given. *)
Definition symmetry_of (n : nat) (windows : list (list nat)) : reading :=
  if keeps (fun i => (i + 1) mod n) windows then
    if keeps (fun i => match i with 0 => Nat.min 1 (n - 1) | 1 => 0 | i => i end) windows then
      In_any_order
    else if keeps (fun i => n - 1 - i) windows then Turned_and_reflected else As_it_stands
  else As_it_stands.

Definition simplicial (t : text) : option outline :=
  match fields "simplicial" t with
  | Some lists =>
    match all_some (map (fun w => option_map (map (fun h => N.to_nat (N.pred (N.min h 27))))
      (amounts w)) lists) with
    | Some windows =>
      let n := fold_left Nat.max (map S (List.concat windows)) 0 in
      if Nat.leb n 26 then any_taken (symmetry_of n windows) n (One_of windows) else None
    | None => None
    end
  | None => None
  end.

Definition rule_file (t : text) : option outline :=
  match fields "rules" t with
  | Some [n; symmetry; digits; rule] =>
    let own :=
      if same_text symmetry (codes "none") then Some As_it_stands
      else if same_text symmetry (codes "ring") then Some Turned_and_reflected
      else if same_text symmetry (codes "full") then Some In_any_order else None in
    match count_of n, own with
    | Some (S n), Some own =>
      if same_text digits (codes "binary")
      then option_map (Heaps_outline own (S n) (One_of [seq 0 (S n)]))
        (formula_over (numbered "p" (S n) ++ numbered "q" (S n)) rule)
      else None
    | _, _ => None
    end
  | _ => None
  end.

(** rules(h+m;none;binary;...): h heaps, and m numbers that a move sets. *)
Definition rule_file_with_memory (t : text) : option outline :=
  match fields "rules" t with
  | Some [numbers; symmetry; digits; rule] =>
    match map count_of (split "+" numbers) with
    | [Some (S h); Some (S m)] =>
      let n := S h + S m in
      if few n && same_text symmetry (codes "none") && same_text digits (codes "binary")
      then option_map (Memory_outline (S h) n)
        (formula_over (numbered "p" n ++ numbered "q" n) rule)
      else None
    | _ => None
    end
  | _ => None
  end.

Definition octal (t : text) : option outline :=
  match after (codes "0.") t with Some ds =>
    option_map Breaking_outline (all_some (map octal_digit ds)) | None => None end.

(** A step is written with a sign where it goes anticlockwise. *)
Definition step_of (t : text) : option Z :=
  match after (codes "-") t with
  | Some r => option_map (fun a => Z.opp (Z.of_N a)) (positive_of r)
  | None => option_map Z.of_N (positive_of t)
  end.

Definition cell_of (t : text) : option nat :=
  match number_of t with Some x => if N.leb x 256 then Some (N.to_nat x) else None | None =>
    None end.

Definition kotzigs_game (steps n : text) : option outline :=
  match all_some (map step_of (split "," steps)) with
  | Some l =>
    if same_text n (codes "n") then Some (Kotzig_outline l None)
    else option_map (fun n => Kotzig_outline l (Some n)) (cell_of n)
  | None => None
  end.

(** NIM(a,...;n;d,e), the amounts ascending. *)
Definition amount_of (t : text) : option nat :=
  match positive_of t with Some x => if N.leb x 65536 then Some (N.to_nat x) else None | None =>
    None end.

Fixpoint ascending (l : list nat) : bool :=
  match l with
  | a :: r => match r with b :: _ => Nat.ltb a b && ascending r | [] => true end
  | [] => true
  end.

Definition with_cash (t : text) : option outline :=
  match fields "NIM" t with
  | Some [set; n; purses] =>
    if same_text n (codes "n") && same_text purses (codes "d,e") then
      match all_some (map amount_of (split "," set)) with
      | Some l => if ascending l then Some (Cash_outline l) else None
      | None => None
      end
    else None
  | _ => None
  end.

Definition game_of (t : text) : option outline :=
  first_some [
    with_field "nim" t (fun n => match count_of n with Some (S n) =>
      any_taken In_any_order (S n) (Neighbours 1) | _ => None end);
    with_fields "moore" t moore;
    with_field "CN" t (fun nk => on_ring nk (fun n k =>
      any_taken Turned_and_reflected n (Neighbours k)));
    with_fields "CN" t (fun nk how => on_ring nk
      (fun n k => option_map (Heaps_outline Turned_and_reflected n (Neighbours k))
        (variation how k)));
    with_field "SCN" t (fun nk => on_ring nk (fun n k => Some (Circles_outline k n)));
    with_fields "S" t subtraction;
    with_field "S" t subtraction_code;
    with_fields "NIM" t one_pile;
    with_cash t;
    with_fields "Gamma" t kotzigs_game;
    simplicial t;
    rule_file t;
    rule_file_with_memory t;
    octal t ].

(** * Certificates *)

(** The claims by numbers of heaps, from 0 to the greatest; where none stands no position is
    claimed. *)
Definition claims_of (most : nat) (t : text) : option (list formula) :=
  let one u :=
    match split " heaps: " u with
    | [m; f] =>
      match count_of m with
      | Some m => if Nat.leb m most then option_map (pair m) (formula_over (letters m) f) else None
      | None => None
      end
    | _ => None
    end in
  match all_some (map one (split "; " t)) with
  | Some l =>
    let claim m := match find (fun x => Nat.eqb (fst x) m) l with Some x => snd x | None =>
      Known false end in
    if forallb (fun m => Nat.leb (length (filter (fun x => Nat.eqb (fst x) m) l)) 1)
      (seq 0 (S most))
    then Some (map claim (seq 0 (S most)))
    else None
  | None => None
  end.

(** Whether a claim is one on misere play, and what follows. *)
Definition play_of (claim : text) : bool * text :=
  match after (codes "in misere play ") claim with Some r => (true, r) | None => (false, claim) end.

(** The way of play, and whether who is to move wins. *)
Definition outcome_of (t : text) : option (bool * bool) :=
  if same_text t (codes "N in normal play") then Some (false, true)
  else if same_text t (codes "P in normal play") then Some (false, false)
  else if same_text t (codes "N in misere play") then Some (true, true)
  else if same_text t (codes "P in misere play") then Some (true, false) else None.

(** The least amount that a claim on NIM with Cash names. *)
Definition cash_claim (t : text) : option nat :=
  let start := codes "with c = d + e + 1 - n, the mover wins iff c > 1 and d - e + v > 0, or c <= 1 and floor(d / " in
  match within start (codes ")") t with
  | Some r => match split ") > floor(e / " r with [a; b] => if same_text a b then amount_of a else
    None | _ => None end
  | None => None
  end.

(** Values that a claim speaks of, or an automaton, its base first, 0 for the digits of Zeckendorf:
    what stands behind the two lines. *)
Record further := { nim_values : list N; cash_values : CashWords.values; automaton : list N }.

(** What a certificate states, but for what does not stand in these lines: whether the claim is read
    as it stands or up to the symmetry of the game, which comes first here; and which values or
    which automaton they are. *)
Definition stated (game claim : text) : option (reading * (reading -> further -> statement)) :=
  match after (codes "for ") claim with
  | Some r => option_map (fun g => (As_it_stands, fun _ _ => On_parameters g))
    (theorem_with_parameters game r)
  | None =>
  match game_of game with
  | Some (Breaking_outline code) =>
    match within (codes "the nim-values of single heaps have period ") (codes " on") claim with
    | Some r =>
      match split " from " r with
      | [p; e] =>
        match number_of p, number_of e with
        | Some p, Some e => Some (As_it_stands, fun _ first =>
          On_breaking code p e (nim_values first))
        | _, _ => None
        end
      | _ => None
      end
    | None => None
    end
  | Some (Kotzig_outline steps (Some n)) =>
    match split " is " claim with
    | [p; result] =>
      match split "/" p with
      | [marked; token] =>
        match cell_of token, all_some (map cell_of (split "," marked)), outcome_of result with
        | Some t, Some r, Some (misere, mover_wins) =>
          Some (As_it_stands, fun _ _ => On_kotzig_position misere steps n (t :: r) mover_wins)
        | _, _, _ => None
        end
      | _ => None
      end
    | _ => None
    end
  | Some (Kotzig_outline steps None) =>
    let (misere, rest) := play_of claim in
    match after (codes "P iff ") rest with
    | Some f => option_map (fun f => (As_it_stands, fun _ _ => On_kotzig misere steps f))
      (formula_over [codes "n"] f)
    | None => None
    end
  | Some (Cash_outline amounts) =>
    option_map (fun least => (As_it_stands, fun _ first =>
      On_cash amounts least (cash_values first))) (cash_claim claim)
  | Some o =>
    match after (codes "P iff reached from 0 by a -> ") claim with
    | Some step =>
      match o, term_over [codes "a"] step with
      | Heaps_outline _ 1 reach rule, Some step =>
        Some (As_it_stands, fun _ _ => On_orbit reach rule step)
      | _, _ => None
      end
    | None =>
    if same_text claim (codes "P iff the automaton accepts") then
      match o with
      | Heaps_outline _ n reach rule =>
        let make (digits : list N) :=
          match digits with
          | [] => On_zeckendorf n reach rule []
          | 0%N :: l => On_zeckendorf n reach rule (Automatic.rows_from (length l) l)
          | b :: l => On_digits n reach rule b (Automatic.rows_from (length l) l)
          end in
        Some (As_it_stands, fun _ first => make (automaton first))
      | _ => None
      end
    else
    let (misere, rest) := play_of claim in
    match within (codes "P iff ") (codes ", up to symmetry") rest with
    | Some f =>
      match o with
      | Heaps_outline own n reach rule =>
        option_map (fun f => (own, fun how _ => On_heaps misere n reach rule how f))
          (formula_over (letters n) f)
      | Circles_outline k most => option_map (fun l =>
        (As_it_stands, fun _ _ => On_circles misere k most l)) (claims_of most f)
      | Memory_outline heaps numbers rule =>
        if misere then None
        else option_map (fun f => (As_it_stands, fun _ _ => On_memory false heaps numbers rule f))
          (formula_over (letters numbers) f)
      | Breaking_outline _ | Kotzig_outline _ _ | Cash_outline _ => None
      end
    | None =>
      (* in misere play in which players may be stuck the claim is read as it stands *)
      match misere, after (codes "P iff ") rest, o with
      | true, Some f, Heaps_outline _ n reach rule =>
        option_map (fun f => (As_it_stands, fun _ _ => On_heaps true n reach rule As_it_stands f))
          (formula_over (letters n) f)
      | true, Some f, Memory_outline heaps numbers rule =>
        option_map (fun f => (As_it_stands, fun _ _ => On_memory true heaps numbers rule f))
          (formula_over (letters numbers) f)
      | _, _, _ => None
      end
    end
    end
  | None => None
  end
  end.

(** * The same statement in other words *)

Fixpoint same_term (s t : term) : bool :=
  match s, t with
  | Number k, Number j => N.eqb k j
  | Heap i, Heap j => Nat.eqb i j
  | Plus a b, Plus c d | Xor a b, Xor c d | Least a b, Least c d | Greatest a b, Greatest c d =>
    same_term a c && same_term b d
  | Times k a, Times j c => N.eqb k j && same_term a c
  | Quotient a k, Quotient c j | Remainder a k, Remainder c j => same_term a c && N.eqb k j
  | Digit_sum k is, Digit_sum j js => N.eqb k j && Forms.same_list is js
  | _, _ => false
  end.

Fixpoint same_formula (f g : formula) : bool :=
  match f, g with
  | Known b, Known c => eqb b c
  | Equal a b, Equal c d | AtMost a b, AtMost c d | Less a b, Less c d =>
    same_term a c && same_term b d
  | Not f, Not g => same_formula f g
  | And f g, And h i | Or f g, Or h i => same_formula f h && same_formula g i
  | Exists i f, Exists j g => Nat.eqb i j && same_formula f g
  | _, _ => false
  end.

(** The arguments of nested minima, or maxima. *)
Fixpoint least_of (t : term) : list term := match t with Least a b => least_of a ++ [b] | t =>
  [t] end.
Fixpoint greatest_of (t : term) : list term := match t with Greatest a b => greatest_of a ++ [b] |
  t => [t] end.

Fixpoint same_terms (l m : list term) : bool :=
  match l, m with
  | [], [] => true
  | a :: l, b :: m => same_term a b && same_terms l m
  | _, _ => false
  end.

Fixpoint chain (a : term) (l : list term) : list formula := match l with [] => [] | b :: l =>
  Equal a b :: chain b l end.

(** x = min(…, x, …): x is at most each; x = max(…, x, …): each is at most x. *)
Definition extreme (x t : term) : option formula :=
  let others l := filter (fun y => negb (same_term x y)) l in
  match t with
  | Least _ _ =>
    if existsb (same_term x) (least_of t) then
      Some (row And (Known true) (map (fun y => AtMost x y) (others (least_of t)))) else None
  | Greatest _ _ =>
    if existsb (same_term x) (greatest_of t)
    then Some (row And (Known true) (map (fun y => AtMost y x) (others (greatest_of t)))) else None
  | _ => None
  end.

(** min(…) = max(…) of the same terms: they are equal. *)
Definition simpler_equation (a b : term) : formula :=
  match a, b with
  | Least _ _, Greatest _ _ =>
    match least_of a with
    | x :: l => if same_terms (x :: l) (greatest_of b) then row And (Known true) (chain x l) else
      Equal a b
    | [] => Equal a b
    end
  | Greatest _ _, Least _ _ =>
    match greatest_of a with
    | x :: l => if same_terms (x :: l) (least_of b) then row And (Known true) (chain x l) else
      Equal a b
    | [] => Equal a b
    end
  | _, _ =>
    match extreme a b with
    | Some f => f
    | None => match extreme b a with Some f => f | None => Equal a b end
    end
  end.

Fixpoint simpler (f : formula) : formula :=
  match f with
  | Equal a b => simpler_equation a b
  | Not f => Not (simpler f)
  | And f g => And (simpler f) (simpler g)
  | Or f g => Or (simpler f) (simpler g)
  | Exists i f => Exists i (simpler f)
  | f => f
  end.

(** Equal statements, their claims in other words perhaps. *)
Definition same_claim (f g : formula) : bool := same_formula (simpler f) (simpler g).

Fixpoint same_list_by {A} (same : A -> A -> bool) (l m : list A) : bool :=
  match l, m with
  | [], [] => true
  | a :: l, b :: m => same a b && same_list_by same l m
  | _, _ => false
  end.

Definition same_reach (r s : reach_of_moves) : bool :=
  match r, s with
  | Neighbours k, Neighbours j | Any_of_them k, Any_of_them j => Nat.eqb k j
  | One_of l, One_of m => same_list_by (same_list_by Nat.eqb) l m
  | _, _ => false
  end.

Definition same_reading (r s : reading) : bool :=
  match r, s with
  | As_it_stands, As_it_stands | Turned_and_reflected, Turned_and_reflected |
    In_any_order, In_any_order => true
  | _, _ => false
  end.

Definition same_statement (s t : statement) : bool :=
  match s, t with
  | On_heaps misere n reach rule how claim, On_heaps misere' n' reach' rule' how' claim' =>
    eqb misere misere' && Nat.eqb n n' && same_reach reach reach' && same_formula rule rule' &&
      same_reading how how' &&
    same_claim claim claim'
  | On_circles misere k most claims, On_circles misere' k' most' claims' =>
    eqb misere misere' && Nat.eqb k k' && Nat.eqb most most' && same_list_by same_claim claims
      claims'
  | On_breaking code period from first, On_breaking code' period' from' first' =>
    same_text code code' && N.eqb period period' && N.eqb from from' && same_text first first'
  | On_kotzig misere steps claim, On_kotzig misere' steps' claim' =>
    eqb misere misere' && same_list_by Z.eqb steps steps' && same_claim claim claim'
  | On_kotzig_position misere steps n p mover_wins, On_kotzig_position misere' steps' n' p'
    mover_wins' =>
    eqb misere misere' && same_list_by Z.eqb steps steps' && Nat.eqb n n' && same_list_by Nat.eqb p
      p' && eqb mover_wins mover_wins'
  | On_cash amounts least v, On_cash amounts' least' v' =>
    same_list_by Nat.eqb amounts amounts' && Nat.eqb least least' && CashWords.same_values v v'
  | On_memory misere heaps numbers rule claim, On_memory misere' heaps' numbers' rule' claim' =>
    eqb misere misere' && Nat.eqb heaps heaps' && Nat.eqb numbers numbers' &&
    same_formula rule rule' && same_claim claim claim'
  | On_digits n reach rule b rows, On_digits n' reach' rule' b' rows' =>
    Nat.eqb n n' && same_reach reach reach' && same_formula rule rule' && N.eqb b b' && same_list_by
      same_text rows rows'
  | On_zeckendorf n reach rule rows, On_zeckendorf n' reach' rule' rows' =>
    Nat.eqb n n' && same_reach reach reach' && same_formula rule rule' &&
    same_list_by same_text rows rows'
  | _, _ => false
  end.

(** Nothing but the two lines. *)
Definition nothing_further : further :=
  {| nim_values := []; cash_values := CashWords.By_window CashWindows.no_window; automaton := [] |}.

(** The statement of the lines alone: on a game with parameters, if the numbers refute its systems;
    on an orbit, of which nothing has to be written down. *)
Definition certified_by_the_lines (game claim : text) (l : list N) : option statement :=
  match stated game claim with
  | Some (_, make) =>
    match make As_it_stands nothing_further with
    | On_parameters g =>
      match witnesses_of game l with
      | Some (ws, l) => if Families.proved g ws l then Some (On_parameters g) else None
      | None => None
      end
    | On_orbit reach rule step =>
      match l with
      | [] =>
        if Orbit.follows (windows_of 1 reach) rule step then Some (On_orbit reach rule step) else
          None
      | _ :: _ => None
      end
    | _ => None
    end
  | None => None
  end.

(** The statement that stands in the numbers, if they prove it and it is that of the lines. *)
Definition certified_as_stated (game claim : text) (l : list N) : option statement :=
  match verify l with
  | None => None
  | Some s =>
    let how := match s with On_heaps _ _ _ _ how _ => how | _ => As_it_stands end in
    let first :=
      {| nim_values := match s with On_breaking _ _ _ first => first | _ => [] end;
         cash_values := match s with On_cash _ _ v => v | _ =>
           CashWords.By_window CashWindows.no_window end;
         automaton := match s with
           | On_digits _ _ _ b rows => b :: Automatic.flat rows
           | On_zeckendorf _ _ _ rows => 0%N :: Automatic.flat rows
           | _ => []
           end |} in
    match stated game claim with
    | None => None
    | Some (own, make) =>
      let t := make how first in
      if (same_reading how As_it_stands || same_reading how own) && same_statement s t then
        Some t else None
    end
  end.

(** The statement of a certificate, if the numbers prove it. The number 98 before them says that
    they hold no statement, and prove what the lines state. *)
Definition certified (game claim : text) (l : list N) : option statement :=
  match l with
  | x :: rest =>
    if N.eqb x 98 then certified_by_the_lines game claim rest else certified_as_stated game claim l
  | [] => None
  end.

(** ** Soundness *)

Lemma same_text_eq s : forall t, same_text s t = true -> s = t.
Proof.
  induction s as [|x s IH]; intros [|y t]; cbn; try discriminate; [reflexivity|].
  rewrite andb_true_iff, N.eqb_eq. intros [-> H].
  now rewrite (IH t H).
Qed.

Lemma same_list_by_eq {A} (same : A -> A -> bool) l :
  (forall a b, same a b = true -> a = b) -> forall m, same_list_by same l m = true -> l = m.
Proof.
  intro E. induction l as [|x l IH]; intros [|y m]; cbn; try discriminate; [reflexivity|].
  rewrite andb_true_iff. intros [H1 H2].
  now rewrite (E x y H1), (IH m H2).
Qed.

Lemma same_term_eq s : forall t, same_term s t = true -> s = t.
Proof.
  induction s; intros t H; destruct t; cbn in H; try discriminate; rewrite ?andb_true_iff in H;
    rewrite ?N.eqb_eq, ?Nat.eqb_eq in H; try (now subst); destruct H as [H1 H2]; f_equal;
      auto using Forms.same_list_eq;
    now apply N.eqb_eq.
Qed.

Lemma same_formula_eq f : forall g, same_formula f g = true -> f = g.
Proof.
  induction f; intros g H; destruct g; cbn in H; try discriminate; rewrite ?andb_true_iff in H;
    try match type of H with _ /\ _ => destruct H as [H1 H2] end; f_equal;
      auto using same_term_eq, eqb_prop; now apply Nat.eqb_eq.
Qed.

Lemma same_terms_eq l : forall m, same_terms l m = true -> l = m.
Proof.
  induction l as [|a l IH]; intros [|b m]; cbn; try discriminate; [reflexivity|].
  rewrite andb_true_iff. intros [H1 H2].
  now rewrite (same_term_eq a b H1), (IH m H2).
Qed.

Lemma row_and l e : fden (row And (Known true) l) e <-> forall f, In f l -> fden f e.
Proof.
  induction l as [|f l IH]; [cbn; intuition|]. destruct l as [|g l].
  - cbn. split; [intros H h [<-|[]]; exact H|intro H; apply H; now left].
  - change (row And (Known true) (f :: g :: l)) with (And f (row And (Known true) (g :: l))).
    cbn [fden]. rewrite IH. split.
    + intros [H1 H2] h [<-|I]; [exact H1|now apply H2].
    + intro H. split; [apply H; now left|]. intros h I. apply H. now right.
Qed.

Lemma least_of_bound t e y : In y (least_of t) -> (tden t e <= tden y e)%N.
Proof.
  induction t; cbn [least_of]; try (intros [<-|[]]; cbn [tden]; lia).
  intro I. apply in_app_or in I as [I|[<-|[]]]; cbn [tden]; [specialize (IHt1 I)|]; lia.
Qed.

Lemma least_of_one t e : exists y, In y (least_of t) /\ tden y e = tden t e.
Proof.
  induction t; cbn [least_of]; try (eexists; split; [now left|reflexivity]).
  destruct IHt1 as (y & I & E). cbn [tden].
  destruct (N.le_ge_cases (tden t1 e) (tden t2 e)) as [L|L].
  - exists y. split; [apply in_or_app; now left|]. rewrite E. lia.
  - exists t2. split; [apply in_or_app; right; now left|]. lia.
Qed.

Lemma greatest_of_bound t e y : In y (greatest_of t) -> (tden y e <= tden t e)%N.
Proof.
  induction t; cbn [greatest_of]; try (intros [<-|[]]; cbn [tden]; lia).
  intro I. apply in_app_or in I as [I|[<-|[]]]; cbn [tden]; [specialize (IHt1 I)|]; lia.
Qed.

Lemma greatest_of_one t e : exists y, In y (greatest_of t) /\ tden y e = tden t e.
Proof.
  induction t; cbn [greatest_of]; try (eexists; split; [now left|reflexivity]).
  destruct IHt1 as (y & I & E). cbn [tden].
  destruct (N.le_ge_cases (tden t1 e) (tden t2 e)) as [L|L].
  - exists t2. split; [apply in_or_app; right; now left|]. lia.
  - exists y. split; [apply in_or_app; now left|]. rewrite E. lia.
Qed.

Lemma chain_sound e l : forall a, fden (row And (Known true) (chain a l)) e <-> forall b, In b l ->
  tden a e = tden b e.
Proof.
  induction l as [|b l IH]; intro a; [cbn; intuition|]. cbn [chain]. rewrite row_and.
  specialize (IH b). rewrite row_and in IH. split.
  - intros H c [<-|I]; [exact (H (Equal a b) (or_introl eq_refl))|].
    transitivity (tden b e); [exact (H (Equal a b) (or_introl eq_refl))|]. apply IH; [|exact I].
    intros f F. apply H. now right.
  - intros H f [<-|I]; [cbn; apply H; now left|]. revert f I. apply IH. intros c I.
    transitivity (tden a e); [symmetry; apply H; now left|apply H; now right].
Qed.

Lemma all_equal s t x l e : least_of s = x :: l -> greatest_of t = x :: l ->
  (fden (row And (Known true) (chain x l)) e <-> tden s e = tden t e).
Proof.
  intros S T. rewrite chain_sound. destruct (least_of_one s e) as (y & Iy & Ey).
  destruct (greatest_of_one t e) as (z & Iz & Ez).
  rewrite S in Iy. rewrite T in Iz. split.
  - intro H. assert (A : forall c, In c (x :: l) -> tden x e = tden c e) by (intros c [<-|I];
      [reflexivity|now apply H]).
    rewrite <- Ey, <- Ez, <- (A y Iy). now apply A.
  - intros E b I. assert (B : forall c, In c (x :: l) -> tden c e = tden s e).
    { intros c Ic. pose proof (least_of_bound s e c ltac:(now rewrite S)).
      pose proof (greatest_of_bound t e c ltac:(now rewrite T)). lia. }
    rewrite (B x (or_introl eq_refl)). symmetry. apply B. now right.
Qed.

Lemma least_sound x t e : existsb (same_term x) (least_of t) = true ->
  (fden (row And (Known true) (map (fun y => AtMost x y)
    (filter (fun y => negb (same_term x y)) (least_of t)))) e <->
   tden x e = tden t e).
Proof.
  intro A. apply existsb_exists in A as (x' & I & E). apply same_term_eq in E as <-.
  rewrite row_and. split.
  - intro H. destruct (least_of_one t e) as (y & Iy & Ey). pose proof (least_of_bound t e x I).
    destruct (same_term x y) eqn:S; [apply same_term_eq in S as <-; exact Ey|].
    assert (L : fden (AtMost x y) e).
    { apply H. apply (in_map (fun y => AtMost x y)). apply filter_In. split; [exact Iy|].
      now rewrite S. }
    cbn in L. lia.
  - intros E f F. apply in_map_iff in F as (y & <- & Iy). apply filter_In in Iy as [Iy _]. cbn.
    pose proof (least_of_bound t e y Iy). lia.
Qed.

Lemma greatest_sound x t e : existsb (same_term x) (greatest_of t) = true ->
  (fden (row And (Known true) (map (fun y => AtMost y x)
    (filter (fun y => negb (same_term x y)) (greatest_of t)))) e <->
   tden x e = tden t e).
Proof.
  intro A. apply existsb_exists in A as (x' & I & E). apply same_term_eq in E as <-.
  rewrite row_and. split.
  - intro H. destruct (greatest_of_one t e) as (y & Iy & Ey).
    pose proof (greatest_of_bound t e x I).
    destruct (same_term x y) eqn:S; [apply same_term_eq in S as <-; exact Ey|].
    assert (L : fden (AtMost y x) e).
    { apply H. apply (in_map (fun y => AtMost y x)). apply filter_In. split; [exact Iy|].
      now rewrite S. }
    cbn in L. lia.
  - intros E f F. apply in_map_iff in F as (y & <- & Iy). apply filter_In in Iy as [Iy _]. cbn.
    pose proof (greatest_of_bound t e y Iy). lia.
Qed.

Lemma extreme_sound x t f e : extreme x t = Some f -> (fden f e <-> tden x e = tden t e).
Proof.
  unfold extreme. destruct t; try discriminate.
  - destruct (existsb _ _) eqn:E; [|discriminate]. intro H. injection H as <-.
    exact (least_sound x _ e E).
  - destruct (existsb _ _) eqn:E; [|discriminate]. intro H. injection H as <-.
    exact (greatest_sound x _ e E).
Qed.

Lemma extremes_sound a b e :
  fden (match extreme a b with Some f => f | None => match extreme b a with Some f => f | None =>
    Equal a b end end) e <->
  tden a e = tden b e.
Proof.
  destruct (extreme a b) as [f|] eqn:A; [now apply extreme_sound|].
  destruct (extreme b a) as [f|] eqn:B; [rewrite (extreme_sound b a f e B); split; intro H;
    now symmetry|apply iff_refl].
Qed.

Lemma simpler_equation_sound a b e : fden (simpler_equation a b) e <-> tden a e = tden b e.
Proof.
  assert (D : simpler_equation a b = match extreme a b with Some f => f | None =>
    match extreme b a with Some f => f | None => Equal a b end end \/
    (exists x l, least_of a = x :: l /\ greatest_of b = x :: l /\
      simpler_equation a b = row And (Known true) (chain x l)) \/
    (exists x l, greatest_of a = x :: l /\ least_of b = x :: l /\
      simpler_equation a b = row And (Known true) (chain x l)) \/
    simpler_equation a b = Equal a b).
  { destruct a, b; try (left; reflexivity); unfold simpler_equation; right.
    - destruct (least_of (Least a1 a2)) as [|x l] eqn:L; [now right; right|].
      destruct (same_terms (x :: l) (greatest_of (Greatest b1 b2))) eqn:S; [|now right; right].
      left. exists x, l. apply same_terms_eq in S. now repeat split.
    - destruct (greatest_of (Greatest a1 a2)) as [|x l] eqn:L; [now right; right|].
      destruct (same_terms (x :: l) (least_of (Least b1 b2))) eqn:S; [|now right; right].
      right. left. exists x, l. apply same_terms_eq in S. now repeat split. }
  destruct D as [->|[(x & l & L & G & ->)|[(x & l & G & L & ->)| ->]]].
  - apply extremes_sound.
  - now apply all_equal.
  - rewrite (all_equal b a x l e L G). split; intro H; now symmetry.
  - apply iff_refl.
Qed.

Lemma simpler_sound f : forall e, fden (simpler f) e <-> fden f e.
Proof.
  induction f; intro e; cbn [simpler fden]; try apply iff_refl.
  - apply simpler_equation_sound.
  - now rewrite IHf.
  - now rewrite IHf1, IHf2.
  - now rewrite IHf1, IHf2.
  - split; intros [x H]; exists x; now apply IHf.
Qed.

Lemma same_claim_sound f g p : same_claim f g = true -> (says f p <-> says g p).
Proof.
  unfold same_claim, says. intro S. apply same_formula_eq in S.
  now rewrite <- (simpler_sound f), S, simpler_sound.
Qed.

Lemma up_to_same images f g p : same_claim f g = true ->
  (up_to images (says f) p <-> up_to images (says g) p).
Proof. intro S. unfold up_to. split; intros (s & I & H); exists s; (split; [exact I|]);
  now apply (same_claim_sound f g _ S). Qed.

Lemma same_claims_nth l : forall m i, same_list_by same_claim l m = true ->
  same_claim (nth i l (Known false)) (nth i m (Known false)) = true.
Proof.
  induction l as [|f l IH]; intros [|g m] i; cbn; try discriminate.
  - intros _. now destruct i.
  - rewrite andb_true_iff. intros [H1 H2]. destruct i; [exact H1|now apply IH].
Qed.

Lemma same_reach_eq r s : same_reach r s = true -> r = s.
Proof.
  destruct r, s; cbn; try discriminate; intro E; f_equal; try (now apply Nat.eqb_eq).
  apply (same_list_by_eq _ _ (fun a b => same_list_by_eq _ _ (fun i j => proj1 (Nat.eqb_eq i j)) b)
    _ E).
Qed.

Lemma same_statement_sound s t : same_statement s t = true -> holds s -> holds t.
Proof.
  destruct s, t; cbn [same_statement]; try discriminate; rewrite !andb_true_iff.
  - intros [[[[[E1 E2] E3] E4] E5] E6]. apply eqb_prop in E1 as <-. apply Nat.eqb_eq in E2 as <-.
    apply same_formula_eq in E4 as <-.
    assert (how = how0) as <- by (destruct how, how0; discriminate || reflexivity).
    assert (reach = reach0) as <-.
    { destruct reach, reach0; cbn in E3; try discriminate; f_equal; try (now apply Nat.eqb_eq).
      apply (same_list_by_eq _ _ (fun a b => same_list_by_eq _ _ (fun i j => proj1 (Nat.eqb_eq i j))
        b) _ E3). }
    cbn [holds]. intros H p L. rewrite (H p L). destruct how; cbn [claimed_in].
    + now apply same_claim_sound.
    + now apply up_to_same.
    + now apply up_to_same.
  - intros [[[E1 E2] E3] E4]. apply eqb_prop in E1 as <-. apply Nat.eqb_eq in E2 as <-.
    apply Nat.eqb_eq in E3 as <-.
    cbn [holds]. intros H p L F. rewrite (H p L F). apply up_to_same. now apply same_claims_nth.
  - intros [[[E1 E2] E3] E4]. apply same_text_eq in E1 as <-. apply N.eqb_eq in E2 as <-.
    apply N.eqb_eq in E3 as <-.
    apply same_text_eq in E4 as <-. auto.
  - intros [[E1 E2] E3]. apply eqb_prop in E1 as <-.
    apply (same_list_by_eq Z.eqb _ (fun a b => proj1 (Z.eqb_eq a b))) in E2 as <-. cbn [holds].
    intros H n Z. rewrite (H n Z).
    now apply same_claim_sound.
  - intros [[[[E1 E2] E3] E4] E5]. apply eqb_prop in E1 as <-. apply Nat.eqb_eq in E3 as <-.
    apply eqb_prop in E5 as <-.
    apply (same_list_by_eq Z.eqb _ (fun a b => proj1 (Z.eqb_eq a b))) in E2 as <-.
    now apply (same_list_by_eq Nat.eqb _ (fun a b => proj1 (Nat.eqb_eq a b))) in E4 as <-.
  - intros [[E1 E2] E3]. apply (same_list_by_eq Nat.eqb _ (fun a b => proj1 (Nat.eqb_eq a b))) in
      E1 as <-.
    apply Nat.eqb_eq in E2 as <-. now apply CashWords.same_values_eq in E3 as <-.
  - intros [[[[E0 E1] E2] E3] E4]. apply eqb_prop in E0 as <-. apply Nat.eqb_eq in E1 as <-.
    apply Nat.eqb_eq in E2 as <-. apply same_formula_eq in E3 as <-.
    cbn [holds]. intros H p L. rewrite (H p L). now apply same_claim_sound.
  - intros [[[[E1 E2] E3] E4] E5]. apply Nat.eqb_eq in E1 as <-. apply same_reach_eq in E2 as <-.
    apply same_formula_eq in E3 as <-.
    apply N.eqb_eq in E4 as <-. apply (same_list_by_eq same_text _ (fun a b => same_text_eq a b)) in
      E5 as <-. auto.
  - intros [[[E1 E2] E3] E4]. apply Nat.eqb_eq in E1 as <-. apply same_reach_eq in E2 as <-.
    apply same_formula_eq in E3 as <-.
    apply (same_list_by_eq same_text _ (fun a b => same_text_eq a b)) in E4 as <-. auto.
Qed.

(** Whatever the numbers are: a statement that is the answer holds, and it is that of these lines,
    read as it stands or up to the symmetry of the game. *)
Theorem certified_sound game claim l s :
  certified game claim l = Some s ->
  holds s /\ exists own make how first,
    stated game claim = Some (own, make) /\ s = make how first /\ (how = As_it_stands \/ how = own).
Proof.
  unfold certified. destruct l as [|x rest]; [discriminate|]. destruct (N.eqb x 98).
  - unfold certified_by_the_lines. destruct (stated game claim) as [[own make]|]; [|discriminate].
    assert (G : forall v, make As_it_stands nothing_further = v -> holds v -> Some v = Some s ->
      holds s /\ exists own0 make0 how first,
        Some (own, make) = Some (own0, make0) /\ s = make0 how first /\
        (how = As_it_stands \/ how = own0)).
    { intros v E R H. injection H as <-. split; [exact R|].
      exists own, make, As_it_stands, nothing_further.
      repeat split; [now symmetry|now left]. }
    destruct (make As_it_stands nothing_further) as [| | | | | | | | |g|reach rule step];
      try discriminate.
    + destruct (witnesses_of game rest) as [[ws m]|]; [|discriminate].
      destruct (Families.proved g ws m) eqn:R; [|discriminate]. apply (G _ eq_refl).
      exact (Families.proved_right g ws m R).
    + destruct rest; [|discriminate].
      destruct (Orbit.follows (windows_of 1 reach) rule step) eqn:R; [|discriminate].
      apply (G _ eq_refl). exact (Orbit.orbit_right (windows_of 1 reach) rule step R).
  - set (l := x :: rest). unfold certified_as_stated.
    destruct (verify l) as [v|] eqn:V; [|discriminate].
    destruct (stated game claim) as [[own make]|]; [|discriminate].
    match goal with |- context [make ?h ?f] => set (how := h); set (first := f) end.
    cbn zeta. destruct (same_reading how As_it_stands || same_reading how own) eqn:R;
      [|discriminate].
    destruct (same_statement v (make how first)) eqn:S; [|discriminate]. intro H. injection H as <-.
    split.
    + apply (same_statement_sound v _ S). exact (verified l v V).
    + exists own, make, how, first. repeat split; try reflexivity.
      apply orb_true_iff in R as [R|R]; [left|right].
      * destruct how; discriminate R || reflexivity.
      * destruct how, own; discriminate R || reflexivity.
Qed.

Print Assumptions certified_sound.
