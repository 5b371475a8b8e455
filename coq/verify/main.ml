(* bouton-verify FILE...: the program around [certified], which is extracted from coq/Reading.v.

   A file holds the line "bouton proof 1", the lines "game: ..." and "claim: ..." of a certificate,
     and then numbers. Whatever they
   are: a statement that [certified] answers with is what these lines state, as Reading.v reads
     them, and it is true (theorem
   [certified_sound]). What is trusted beside the extraction is that this file prints these lines,
     or the statement in other words. *)

open Certified
open Stdlib

(* Numbers *)

let rec positive_of_int k =
  if k = 1 then XH else if k land 1 = 1 then XI (positive_of_int (k lsr 1)) else
    XO (positive_of_int (k lsr 1))

let n_of_int k = if k = 0 then N0 else Npos (positive_of_int k)

let rec digits_of_positive = function
  | XH -> [ true ]
  | XO p -> false :: digits_of_positive p
  | XI p -> true :: digits_of_positive p

exception Too_big

let int_of_n = function
  | N0 -> 0
  | Npos p ->
    let digits = digits_of_positive p in
    if List.length digits > 61 then raise Too_big
    else List.fold_right (fun bit x -> (2 * x) + if bit then 1 else 0) digits 0

let rec int_of_nat = function O -> 0 | S n -> 1 + int_of_nat n

let int_of_z = function
  | Z0 -> 0
  | Zpos p -> int_of_n (Npos p)
  | Zneg p -> - int_of_n (Npos p)

let signed k = if k < 0 then Printf.sprintf "- %d" (- k) else Printf.sprintf "+ %d" k

(* Statements in words *)

let letter i = if i < 26 then String.make 1 (Char.chr (97 + i)) else
  failwith "more heaps than letters"

(* The names of a formula's variables: of n heaps, and bound ones behind them. *)
let heap_name n i = if i < n then letter i else "x" ^ string_of_int (i - n)

(* The same of a rule on k heaps: before a move p0, p1, ..., after it q0, q1, ... *)
let rule_name k i =
  if i < k then "p" ^ string_of_int i
  else if i < 2 * k then "q" ^ string_of_int (i - k)
  else "x" ^ string_of_int (i - (2 * k))

let rec term name = function
  | Number k -> string_of_int (int_of_n k)
  | Heap i -> name (int_of_nat i)
  | Plus (a, b) -> Printf.sprintf "(%s + %s)" (term name a) (term name b)
  | Times (k, a) -> Printf.sprintf "(%d * %s)" (int_of_n k) (term name a)
  | Xor (a, b) -> Printf.sprintf "(%s xor %s)" (term name a) (term name b)
  | Least (a, b) -> Printf.sprintf "min(%s, %s)" (term name a) (term name b)
  | Greatest (a, b) -> Printf.sprintf "max(%s, %s)" (term name a) (term name b)
  | Quotient (a, k) -> Printf.sprintf "(%s div %d)" (term name a) (int_of_n k)
  | Remainder (a, k) -> Printf.sprintf "(%s mod %d)" (term name a) (int_of_n k)
  | Digit_sum (k, is) ->
    let word = Printf.sprintf " xor%d " (int_of_n k) in
    Printf.sprintf "(%s)" (String.concat word (List.map (fun i -> name (int_of_nat i)) is))

let rec formula name = function
  | Known b -> if b then "true" else "false"
  | Equal (a, b) -> Printf.sprintf "%s = %s" (term name a) (term name b)
  | AtMost (a, b) -> Printf.sprintf "%s <= %s" (term name a) (term name b)
  | Less (a, b) -> Printf.sprintf "%s < %s" (term name a) (term name b)
  | Not f -> Printf.sprintf "~(%s)" (formula name f)
  | And (f, g) -> Printf.sprintf "(%s & %s)" (formula name f) (formula name g)
  | Or (f, g) -> Printf.sprintf "(%s | %s)" (formula name f) (formula name g)
  | Exists (i, f) -> Printf.sprintf "(E %s: %s)" (name (int_of_nat i)) (formula name f)

let play misere = if misere then "misere" else "normal"
let joined between one list = String.concat between (List.map one list)

let step = function
  | Z0 -> "0"
  | Zpos p -> string_of_int (int_of_n (Npos p))
  | Zneg p -> string_of_int (int_of_n (Npos p)) ^ " anticlockwise"

(* v of NIM with Cash. *)
let print_window w =
  let p = int_of_nat w.period_n and q = int_of_z w.period_c in
  let stones = int_of_nat w.from_n + p and rows = int_of_z w.from_c + max q 0 in
  let row i (again, first) =
    Printf.printf "  v: at c = %d for n from 0 on: %s, of which the last %d repeat\n" (i + 2)
      (joined " " (fun v -> string_of_int (int_of_z v)) first) (int_of_nat again)
  in
  List.iteri row w.rows;
  let line n (up, rest) =
    Printf.printf "  v: at c >= %d for n = %d: %sc %s\n" rows n (if up then "" else "-")
      (signed (int_of_z rest))
  in
  List.iteri line w.lines;
  Printf.printf "  v: at c >= %d for n >= %d: that of %d fewer stones at c %s\n" rows stones p
    (signed (- q))

(* Steps in runs: U3D1 is three up and one down. *)
let rec runs = function
  | [] -> ""
  | step :: _ as steps ->
    let rec span n = function s :: rest when s = step -> span (n + 1) rest | rest -> (n, rest) in
    let n, rest = span 0 steps in
    (if int_of_z step > 0 then "U" else "D") ^ string_of_int n ^ runs rest

let print_words w =
  let p = List.length w.paths and first = int_of_nat w.first_k in
  Printf.printf "  v: for n < %d: -(c + n) where no amount can be taken, else the greatest of -a - v of n - a stones at c\n" (p * first);
  let path i path =
    Printf.printf "  v: for n = %d + %d k, k >= %d: %d at c = 0, and from c to c + 1 up or down by one: " i p first
      (int_of_z path.start_value);
    let piece (steps, (each, base)) =
      Printf.printf "%s, %d k %s times; " (runs steps) (int_of_z each) (signed (int_of_z base))
    in
    List.iter piece path.pieces;
    Printf.printf "then %s for ever\n" (runs [ path.last_step ])
  in
  List.iteri path w.paths
(* Heaps in their places: what a move does. *)
let print_moves heaps reach rule =
  let width, reaches =
    match reach with
    | Neighbours k ->
      let k = int_of_nat k in
      ( k,
        if k = 1 then Printf.sprintf "lowers one of %d heaps" heaps
        else Printf.sprintf "lowers heaps among %d neighbours on a circle of %d heaps" k heaps )
    | Any_of_them k ->
      let k = int_of_nat k in
      (k, Printf.sprintf "lowers at most %d of %d heaps" k heaps)
    | One_of windows ->
      let window w = joined "," (fun i -> letter (int_of_nat i)) w in
      let width = match windows with [] -> 0 | w :: _ -> List.length w in
      (width, Printf.sprintf "of %d heaps lowers some of %s" heaps (joined " or " window windows))
  in
  Printf.printf "  game: a move %s\n" reaches;
  (match rule with
   | Known true -> print_string "  rule: at least one token is taken\n"
   | rule -> Printf.printf "  rule: at least one token is taken, and %s\n"
     (formula (rule_name width) rule))

(* A claim that is an automaton; [digits] says what is read of heaps with these names. *)
let print_automatic heaps reach rule digits rows =
  print_moves heaps reach rule;
  Printf.printf "  play: %s\n" (play false);
  Printf.printf "  claim: P iff this automaton accepts %s, the most significant first\n"
    (digits (joined ", " letter (List.init heaps Fun.id)));
  print_string "  automaton: it begins in state 0; the next states are listed by the columns of ";
  print_string "digits, first those of the first heap from 0 on, the others 0, and so on; ! where ";
  print_string "numbers may end\n";
  List.iteri
    (fun state row ->
      match row with
      | [] -> Printf.printf "  state %d: -\n" state
      | ends :: next ->
        Printf.printf "  state %d: %s %s\n" state (if ends = N0 then "-" else "!")
          (joined " " (fun s -> string_of_int (int_of_n s)) next))
    rows

(* Games with parameters. *)

let position_names purses = if purses then [ "n"; "d"; "e" ] else [ "a" ]

let rec expression name e =
  let two sign a b = Printf.sprintf "(%s %s %s)" (expression name a) sign (expression name b) in
  match e with
  | Fixed k -> string_of_int (int_of_n k)
  | Named i -> name (int_of_nat i)
  | Added (a, b) -> two "+" a b
  | Subtracted (a, b) -> two "-" a b
  | Multiplied (a, b) -> two "*" a b
  | Divided (a, b) -> two "div" a b
  | Rest (a, b) -> two "mod" a b

let rec sentence name = function
  | Compared (r, a, b) ->
    let sign =
      match r with
      | Is -> "="
      | Is_not -> "!="
      | Is_less -> "<"
      | Is_at_most -> "<="
      | Is_more -> ">"
      | Is_at_least -> ">="
    in
    Printf.sprintf "%s %s %s" (expression name a) sign (expression name b)
  | Not_so f -> Printf.sprintf "~(%s)" (sentence name f)
  | All_so (f, g) -> Printf.sprintf "(%s & %s)" (sentence name f) (sentence name g)
  | One_so (f, g) -> Printf.sprintf "(%s | %s)" (sentence name f) (sentence name g)

let print_theorem g =
  let count = int_of_nat g.parameters in
  let own = position_names g.with_purses in
  let name i = if i < count then "p" ^ string_of_int i else List.nth own (i - count) in
  let amount = function
    | Single e -> expression name e
    | Range (least, most) -> Printf.sprintf "each number from %s to %s" (expression name least)
      (expression name most)
  in
  let names = joined ", " name (List.init count Fun.id) in
  Printf.printf "  game: a move takes one of these numbers of tokens: %s\n"
    (joined ", " amount g.amounts);
  print_string
    (if g.with_purses then
       "  rule: from n stones, and who moves pays a dollar for each; d are the mover's dollars, e those of the other\n"
     else "  rule: from a heap of a tokens\n");
  print_string "  play: normal\n";
  Printf.printf "  condition: for all integers %s with %s\n"
    (if count = 0 then "(there are none)" else names)
    (sentence name g.on_condition);
  Printf.printf "  claim: P iff %s; div is rounded down\n" (sentence name g.claimed)

let print_statement = function
  | On_parameters g -> print_theorem g
  | On_orbit (reach, rule, step) ->
    print_moves 1 reach rule;
    Printf.printf "  play: %s\n" (play false);
    Printf.printf "  claim: P iff a is 0, or reached from 0 by steps from a to %s\n"
      (term letter step)
  | On_digits (n, reach, rule, b, rows) ->
    let digits names = Printf.sprintf "the digits of %s to base %d" names (int_of_n b) in
    print_automatic (int_of_nat n) reach rule digits rows
  | On_zeckendorf (n, reach, rule, rows) ->
    let digits names =
      Printf.sprintf "the digits of Zeckendorf of %s (%s)" names
        "their weights are 1, 2, 3, 5, ...; no two neighbours are 1"
    in
    print_automatic (int_of_nat n) reach rule digits rows
  | On_heaps (misere, n, reach, rule, how, claim) ->
    let heaps = int_of_nat n in
    print_moves heaps reach rule;
    Printf.printf "  play: %s\n" (play misere);
    Printf.printf "  claim: P iff %s\n" (formula (heap_name heaps) claim);
    Printf.printf "  order: %s\n"
      (match how with
       | As_it_stands -> "the heaps as they stand"
       | Turned_and_reflected -> "some turn or reflection of the heaps"
       | In_any_order -> "some order of the heaps")
  | On_circles (misere, k, most, claims) ->
    Printf.printf "  game: a move lowers heaps among %d neighbours on a circle of at most %d heaps, none empty; " (int_of_nat k)
      (int_of_nat most);
    print_string "emptied heaps leave the circle\n";
    print_string "  rule: at least one token is taken\n";
    Printf.printf "  play: %s\n" (play misere);
    let claim m f = Printf.printf "  claim: %d heaps: P iff %s\n" m (formula (heap_name m) f) in
    List.iteri (fun m f -> if m <= int_of_nat most then claim m f) claims;
    print_string "  order: some turn or reflection of the heaps; a number of heaps without a claim has no P-position\n"
  | On_breaking (code, period, from, first) ->
    Printf.printf "  game: taking and breaking by the code 0.%s\n"
      (joined "" (fun d -> string_of_int (int_of_n d)) code);
    print_string "  play: normal\n";
    Printf.printf "  claim: the nim-values of single heaps have period %d from %d on\n"
      (int_of_n period) (int_of_n from);
    Printf.printf "  values: %s, of which the last %d repeat\n"
      (joined " " (fun v -> string_of_int (int_of_n v)) first)
      (int_of_n period);
    print_string "  claim: P iff the nim-sum of these values is 0\n"
  | On_kotzig_position (misere, steps, n, p, mover_wins) ->
    Printf.printf "  game: %d cells on a circle, numbered from 0; a move takes the token %s cells on\n" (int_of_nat n)
      (joined " or " step steps);
    print_string "  rule: the token's new cell is not marked, and is marked by the move\n";
    Printf.printf "  play: %s\n" (play misere);
    let cells l = joined "," (fun c -> string_of_int (int_of_nat c)) l in
    Printf.printf "  position: the token on cell %s, cells %s marked\n"
      (match p with t :: _ -> string_of_int (int_of_nat t) | [] -> "none")
      (match p with _ :: marked -> cells marked | [] -> "none");
    Printf.printf "  claim: who is to move %s\n" (if mover_wins then "wins" else "loses")
  | On_memory (misere, heaps, numbers, rule, claim) ->
    let h = int_of_nat heaps and n = int_of_nat numbers in
    let counted k what = Printf.sprintf "%d %s%s" k what (if k = 1 then "" else "s") in
    let names from k = joined "," letter (List.init k (fun i -> from + i)) in
    Printf.printf "  game: %s %s and %s %s remembered; a move lowers heaps and sets what is remembered\n" (counted h "heap")
      (names 0 h) (counted (n - h) "number") (names h (n - h));
    Printf.printf "  rule: at least one token of the heaps is taken, and %s\n"
      (formula (rule_name n) rule);
    Printf.printf "  play: %s\n" (play misere);
    Printf.printf "  claim: P iff %s\n" (formula (heap_name n) claim);
    print_string "  order: the heaps as they stand\n"
  | On_cash (amounts, least, v) ->
    let number k = string_of_int (int_of_nat k) in
    let least = number least in
    Printf.printf "  game: n stones, d dollars of the mover, e of the other; a move takes %s stones\n" (joined " or " number amounts);
    print_string "  rule: who moves pays a dollar for each stone\n";
    print_string "  play: normal, for all n, d, e; c = d + e + 1 - n\n";
    Printf.printf "  claim: who is to move wins iff c > 1 and d - e + v > 0, or c <= 1 and d div %s > e div %s\n" least least;
    (match v with By_window w -> print_window w | By_words w -> print_words w)
  | On_kotzig (misere, steps, claim) ->
    Printf.printf "  game: n cells on a circle, n any number from 1 on, the token's marked; a move takes the token %s cells on\n"
      (joined " or " step steps);
    print_string "  rule: the token's new cell is not marked, and is marked by the move\n";
    Printf.printf "  play: %s\n" (play misere);
    Printf.printf "  claim: P iff %s\n" (formula
      (fun i -> if i = 0 then "n" else "x" ^ string_of_int i) claim)

(* Files *)

exception Unreadable of String.t

let header = "bouton proof 1"

let lines_and_numbers name =
  let text =
    try
      let channel = open_in_bin name in
      let text = really_input_string channel (in_channel_length channel) in
      close_in channel;
      text
    with Sys_error why -> raise (Unreadable why) | End_of_file | Invalid_argument _ ->
      raise (Unreadable "it is no file")
  in
  let length = String.length text in
  let at = ref 0 in
  let line start =
    let size = String.length start in
    let stop = try String.index_from text !at '\n' with Not_found | Invalid_argument _ -> length in
    let own = String.sub text !at (stop - !at) in
    if String.length own < size || String.sub own 0 size <> start then
      raise (Unreadable (Printf.sprintf "a line \"%s...\" should stand at byte %d" start !at));
    at := min length (stop + 1);
    String.sub own size (String.length own - size)
  in
  if line header <> "" then raise (Unreadable ("the first line should be \"" ^ header ^ "\""));
  let game = line "game: " in
  let claim = line "claim: " in
  let found = ref [] and own = ref (-1) in
  let finish () = if !own >= 0 then (found := n_of_int !own :: !found; own := -1) in
  for at = !at to length - 1 do
    match text.[at] with
    | '0' .. '9' as digit ->
      let more = (10 * max !own 0) + Char.code digit - 48 in
      if more > 1 lsl 56 then raise (Unreadable "a number has more than 56 bits");
      own := more
    | ' ' | '\n' -> finish ()
    | other -> raise (Unreadable (Printf.sprintf "the character %C stands at byte %d" other at))
  done;
  finish ();
  let codes text = List.init (String.length text) (fun i -> n_of_int (Char.code text.[i])) in
  (game, claim, certified (codes game) (codes claim) (List.rev !found))

(* Limits: looked at whenever the collector of memory has made a round. *)

exception Limit of String.t

let limited seconds megabytes =
  let start = Sys.time () in
  let look () =
    if Sys.time () -. start > seconds then raise
      (Limit (Printf.sprintf "more than %.0f s" seconds));
    let words = (Gc.quick_stat ()).Gc.heap_words in
    if words / 131072 > megabytes then raise (Limit (Printf.sprintf "more than %d MB" megabytes))
  in
  (* Looked at ten times a second of processor time: a collection of memory may be long in
    coming. *)
  Sys.set_signal Sys.sigvtalrm (Sys.Signal_handle (fun _ -> look ()));
  ignore (Unix.setitimer Unix.ITIMER_VIRTUAL { Unix.it_interval = 0.1; it_value = 0.1 })

let unlimited () =
  Sys.set_signal Sys.sigvtalrm Sys.Signal_ignore;
  ignore (Unix.setitimer Unix.ITIMER_VIRTUAL { Unix.it_interval = 0.0; it_value = 0.0 })

let usage =
  "bouton-verify [--seconds S] [--megabytes M] FILE...\n\
   Verifies proofs by the checker that coq/Reading.v and coq/Verify.v prove sound, and prints what was verified.\n\
   Exit code: 0 if all files are verified, 1 if one is not, 2 for bad input.\n"

let () =
  let seconds = ref 600.0 and megabytes = ref 4000 and worst = ref 0 in
  let bad why = prerr_string (why ^ "\n" ^ usage); exit 2 in
  let rec files = function
    | "--seconds" :: s :: rest ->
      (match float_of_string_opt s with Some s when s > 0.0 -> seconds := s | _ ->
        bad ("--seconds " ^ s ^ " is no number"));
      files rest
    | "--megabytes" :: m :: rest ->
      (match int_of_string_opt m with Some m when m > 0 -> megabytes := m | _ ->
        bad ("--megabytes " ^ m ^ " is no number"));
      files rest
    | ("--help" | "-h") :: _ -> print_string usage; exit 0
    | option :: _ when String.length option > 1 && option.[0] = '-' ->
      bad (option ^ " is not known")
    | file :: rest -> file :: files rest
    | [] -> []
  in
  let files = files (List.tl (Array.to_list Sys.argv)) in
  if files = [] then bad "no file is named";
  (* Most of what is built is dropped at once. *)
  Gc.set { (Gc.get ()) with Gc.minor_heap_size = 4194304; Gc.space_overhead = 200 };
  let one file =
    let started = Sys.time () in
    let answer =
      try
        limited !seconds !megabytes;
        let read = lines_and_numbers file in
        unlimited ();
        match read with
        | game, claim, Some statement -> `Verified (game, claim, statement)
        | _, _, None -> `Not (1, "not verified",
          "the numbers are no proof of the claim before them")
      with
      | Unreadable why -> `Not (2, "unreadable", why)
      | Limit why -> `Not (1, "unknown", why)
      | Out_of_memory -> `Not (1, "unknown", "out of memory")
      | Stack_overflow -> `Not (1, "unknown", "out of stack; `ulimit -s unlimited` gives more")
    in
    unlimited ();
    (match answer with
     | `Verified (game, claim, statement) ->
       Printf.printf "verified: %s\ngame: %s\nclaim: %s\nThat is:\n" file (String.escaped game)
         (String.escaped claim);
       (try print_statement statement
        with Too_big | Failure _ -> print_string
          "  a number of the statement has more than 61 bits\n"; worst := max !worst 1)
     | `Not (code, word, why) ->
       worst := max !worst code;
       Printf.printf "%s: %s: %s\n" word file why);
    Printf.eprintf "%.2f s: %s\n%!" (Sys.time () -. started) file
  in
  (* Each file in a process of its own: what is left after a lack of stack or memory is not used. *)
  let alone file =
    flush stdout;
    match Unix.fork () with
    | 0 ->
      one file;
      exit !worst
    | child ->
      (match snd (Unix.waitpid [] child) with
       | Unix.WEXITED code when code <= 2 -> worst := max !worst code
       | _ ->
         Printf.printf "unknown: %s: its process was ended\n" file;
         worst := max !worst 1)
  in
  List.iter alone files;
  exit !worst
