(** The kernel of banditproof in Coq: what its terms speak of, and its rules as lemmas.

    A function is bounded and Borel: [Meas] are the Baire functions of countably many reals, which are the Borel ones.
    A law is a positive linear functional on these, continuous under bounded pointwise limits, with value 1 at 1: a
    probability measure on the reals. A mechanism [Ker] is one for each point, measurably.
    Three facts are not proved here and stand as axioms under the kernel's names: Fubini, the uniform law on [0, 1], and
    laws with a density. *)
From Coq Require Import Reals Lra Lia ZArith FunctionalExtensionality QArith Qreals Ring_polynom InitialRing.
From Coq Require Export List.
Export ListNotations.
Open Scope R_scope.

Definition env := nat -> R.
Definition tl (w : env) : env := fun i => w (S i).
Definition ind (a b : R) : R := if Rle_dec a b then 1 else 0.
Definition nat_ (a : R) : Prop := exists k : nat, a = INR k.

(* ---------------------------------------------------------------------------------------------- measurable, bounded *)

Inductive Meas : (env -> R) -> Prop :=
| Meas_const c : Meas (fun _ => c)
| Meas_proj i : Meas (fun w => w i)
| Meas_add f g : Meas f -> Meas g -> Meas (fun w => f w + g w)
| Meas_mul f g : Meas f -> Meas g -> Meas (fun w => f w * g w)
| Meas_inv f : Meas f -> Meas (fun w => / f w)
| Meas_exp f : Meas f -> Meas (fun w => exp (f w))
| Meas_ln f : Meas f -> Meas (fun w => ln (f w))
| Meas_indicator f g : Meas f -> Meas g -> Meas (fun w => ind (f w) (g w))
| Meas_lim fs f : (forall n : nat, Meas (fs n)) -> (forall w, Un_cv (fun n => fs n w) (f w)) -> Meas f.
Arguments Meas_add {f g}. Arguments Meas_mul {f g}. Arguments Meas_inv {f}. Arguments Meas_exp {f}.
Arguments Meas_ln {f}. Arguments Meas_indicator {f g}.

Lemma Meas_comp f s : Meas f -> (forall i, Meas (s i)) -> Meas (fun w => f (fun i => s i w)).
Proof.
  intros H Hs. induction H; try (constructor; auto; fail); auto.
  apply Meas_lim with (fs := fun n w => fs n (fun i => s i w)); auto.
Qed.

Definition Bdd (f : env -> R) := exists B, forall w, Rabs (f w) <= B.
Definition Good f := Meas f /\ Bdd f.
Definition Away f := Meas f /\ exists a B, 0 < a /\ forall w, a <= f w <= B.
Definition Good1 (f : R -> R) := Good (fun w => f (w O)).

Lemma Bdd_comp f (s : env -> env) : Bdd f -> Bdd (fun w => f (s w)).
Proof. intros [B H]. exists B. auto. Qed.
Lemma Good_comp f s : Good f -> (forall i, Meas (s i)) -> Good (fun w => f (fun i => s i w)).
Proof. intros [H1 H2] Hs. split. apply Meas_comp; auto. apply (Bdd_comp f (fun w i => s i w) H2). Qed.
Lemma Good_meas {f} : Good f -> Meas f. Proof. firstorder. Qed.
Lemma Good_const c : Good (fun _ => c).
Proof. split. constructor. exists (Rabs c). intros; lra. Qed.
Lemma Good_add {f g} : Good f -> Good g -> Good (fun w => f w + g w).
Proof.
  intros [H1 [A Ha]] [H2 [B Hb]]. split. constructor; auto. exists (A + B). intro w.
  eapply Rle_trans; [apply Rabs_triang|]. specialize (Ha w); specialize (Hb w); lra.
Qed.
Lemma Good_mul {f g} : Good f -> Good g -> Good (fun w => f w * g w).
Proof.
  intros [H1 [A Ha]] [H2 [B Hb]]. split. constructor; auto. exists (A * B). intro w. rewrite Rabs_mult.
  apply Rmult_le_compat; auto using Rabs_pos.
Qed.
Lemma Good_exp {f} : Good f -> Good (fun w => exp (f w)).
Proof.
  intros [H1 [A Ha]]. split. constructor; auto. exists (exp A). intro w.
  rewrite Rabs_pos_eq by (left; apply exp_pos). specialize (Ha w). pose proof (Rle_abs (f w)).
  destruct (Rle_lt_or_eq_dec (f w) A) as [L|E]; [lra|left; apply exp_increasing; auto|rewrite E; lra].
Qed.
Lemma Good_ind {f g} : Meas f -> Meas g -> Good (fun w => ind (f w) (g w)).
Proof.
  intros. split. constructor; auto. exists 1. intro w. unfold ind. destruct (Rle_dec _ _); rewrite Rabs_pos_eq; lra.
Qed.
Lemma Away_meas {f} : Away f -> Meas f. Proof. firstorder. Qed.
Lemma Good_inv {f} : Away f -> Good (fun w => / f w).
Proof.
  intros [H1 [a [B [P H]]]]. split. constructor; auto. exists (/ a). intro w. specialize (H w).
  rewrite Rabs_pos_eq by (left; apply Rinv_0_lt_compat; lra). apply Rinv_le_contravar; lra.
Qed.
Lemma Good_ln {f} : Away f -> Good (fun w => ln (f w)).
Proof.
  intros [H1 [a [B [P H]]]]. split. constructor; auto. exists (Rabs (ln a) + Rabs (ln B)). intro w. specialize (H w).
  assert (ln a <= ln (f w)) by (destruct (Rle_lt_or_eq_dec a (f w)) as [L|E]; [lra|left; apply ln_increasing; lra|rewrite E; lra]).
  assert (ln (f w) <= ln B) by (destruct (Rle_lt_or_eq_dec (f w) B) as [L|E]; [lra|left; apply ln_increasing; lra|rewrite E; lra]).
  unfold Rabs; repeat destruct (Rcase_abs _); lra.
Qed.
Lemma Away_const {c} : 0 < c -> Away (fun _ => c).
Proof. intros. split. constructor. exists c, c. split; auto. intros; lra. Qed.
Lemma Away_exp {f} : Good f -> Away (fun w => exp (f w)).
Proof.
  intros [H1 [A Ha]]. split. constructor; auto. exists (exp (- A)), (exp A). split. apply exp_pos. intro w.
  specialize (Ha w). assert (- A <= f w <= A) by (revert Ha; unfold Rabs; destruct (Rcase_abs _); lra).
  assert (M : forall a b, a <= b -> exp a <= exp b)
    by (intros a b L; destruct L as [L|E]; [left; apply exp_increasing; auto|rewrite E; lra]).
  split; apply M; lra.
Qed.
Lemma Away_add {f g} : Away f -> Away g -> Away (fun w => f w + g w).
Proof.
  intros [H1 [a [A [P H]]]] [H2 [b [B [Q K]]]]. split. constructor; auto. exists (a + b), (A + B). split. lra.
  intro w. specialize (H w); specialize (K w); lra.
Qed.
Lemma Away_mul {f g} : Away f -> Away g -> Away (fun w => f w * g w).
Proof.
  intros [H1 [a [A [P H]]]] [H2 [b [B [Q K]]]]. split. constructor; auto. exists (a * b), (A * B). split. nra.
  intro w. specialize (H w); specialize (K w). split; apply Rmult_le_compat; lra.
Qed.

(* ---------------------------------------------------------------------------------------------------- laws, kernels *)

Definition Law := (R -> R) -> R.
Definition mean (P : Law) (f : R -> R) : R := P f.

Record IsLaw (P : Law) : Prop := {
  law_add : forall f g, Good1 f -> Good1 g -> P (fun x => f x + g x) = P f + P g;
  law_scal : forall c f, Good1 f -> P (fun x => c * f x) = c * P f;
  law_one : P (fun _ => 1) = 1;
  law_mono : forall f g, Good1 f -> Good1 g -> (forall x, f x <= g x) -> P f <= P g;
  law_lim : forall (fs : nat -> R -> R) f B, (forall n, Good1 (fs n)) -> Good1 f -> (forall n x, Rabs (fs n x) <= B) ->
    (forall x, Un_cv (fun n => fs n x) (f x)) -> Un_cv (fun n => P (fs n)) (P f) }.

(** A law for each point: the mean of what is measurable in both is measurable. *)
Definition Ker (Q : env -> Law) : Prop :=
  (forall w, IsLaw (Q w)) /\
  forall (s : nat -> env -> R) (b : env -> R -> R), (forall i, Meas (s i)) -> Good (fun w => b (tl w) (w O)) ->
    Meas (fun w => Q (fun i => s i w) (b w)).

Definition dirac (a : R) : Law := fun f => f a.
Definition mix (P : Law) (Q : R -> Law) : Law := fun f => P (fun y => Q y f).
Fixpoint iter (k : nat) (a : R) (Q : R -> R -> Law) : Law :=
  match k with O => dirac a | S k => fun f => iter k a Q (fun h => Q (INR k) h f) end.
(** The natural number that n is; of other n, its whole part, if that is one. *)
Definition natof (n : R) : nat := Z.to_nat (up n - 1).
Definition steps (n a : R) (Q : R -> R -> Law) : Law := iter (natof n) a Q.
Fixpoint total (k : nat) (f : R -> R) : R := match k with O => 0 | S k => total k f + f (INR k) end.
(** Uniform on 0 .. n - 1 for natural n > 0; of other n no rule speaks, and statements have none. *)
Definition Unif (n : R) : Law := match natof n with O => fun f => f 0 | S k => fun f => / INR (S k) * total (S k) f end.

Lemma natof_INR k : natof (INR k) = k.
Proof. unfold natof. rewrite <- (tech_up (INR k) (Z.of_nat k + 1)); rewrite ?plus_IZR, <- ?INR_IZR_INZ; try lra. lia. Qed.

Lemma Good1_const c : Good1 (fun _ => c). Proof. exact (Good_const c). Qed.
Lemma section_good b w : Good (fun w => b (tl w) (w O)) -> Good1 (b w).
Proof.
  intro H. apply (Good_comp _ (fun i w' => match i with O => w' O | S i => w i end) H).
  intros [|i]; constructor.
Qed.
Lemma law_const P c : IsLaw P -> P (fun _ => c) = c.
Proof.
  intro H. replace (fun _ : R => c) with (fun _ : R => c * 1) by (extensionality x; ring).
  rewrite (law_scal P H c (fun _ => 1)), (law_one P H) by apply Good1_const. ring.
Qed.
Lemma law_between P f a B : IsLaw P -> Good1 f -> (forall x, a <= f x <= B) -> a <= P f <= B.
Proof.
  intros H G K. pose proof (law_const P a H). pose proof (law_const P B H).
  pose proof (law_mono P H (fun _ => a) f (Good1_const a) G (fun x => proj1 (K x))).
  pose proof (law_mono P H f (fun _ => B) G (Good1_const B) (fun x => proj2 (K x))). simpl in *. lra.
Qed.
Lemma law_bound P f B : IsLaw P -> Good1 f -> (forall x, Rabs (f x) <= B) -> Rabs (P f) <= B.
Proof.
  intros H G K. assert (L : - B <= P f <= B).
  { apply law_between; auto. intro x. specialize (K x). revert K. unfold Rabs. destruct (Rcase_abs _); lra. }
  unfold Rabs. destruct (Rcase_abs _); lra.
Qed.
Lemma Meas_mean (b : env -> R -> R) {Q} : Ker Q -> Good (fun w => b (tl w) (w O)) -> Meas (fun w => mean (Q w) (b w)).
Proof. intros [_ H] G. apply (H (fun i w => w i) b); auto. intro; constructor. Qed.
Lemma Good_mean (b : env -> R -> R) {Q} : Ker Q -> Good (fun w => b (tl w) (w O)) -> Good (fun w => mean (Q w) (b w)).
Proof.
  intros K G. split. apply Meas_mean; auto. destruct G as [M [B H]]. exists B. intro w.
  apply law_bound. apply K. apply section_good. split; auto. exists B; auto.
  intro x. apply (H (fun i => match i with O => x | S i => w i end)).
Qed.
Lemma Away_good {f} : Away f -> Good f.
Proof. intros [M [a [B [P H]]]]. split; auto. exists B. intro w. specialize (H w). rewrite Rabs_pos_eq; lra. Qed.
Lemma Away_mean (b : env -> R -> R) {Q} : Ker Q -> Away (fun w => b (tl w) (w O)) -> Away (fun w => mean (Q w) (b w)).
Proof.
  intros K A. assert (G := Away_good A). split. apply Meas_mean; auto. destruct A as [M [a [B [P H]]]].
  exists a, B. split; auto. intro w. apply law_between. apply K. apply section_good; auto.
  intro x. apply (H (fun i => match i with O => x | S i => w i end)).
Qed.

Lemma Ker_comp Q s : Ker Q -> (forall i, Meas (s i)) -> Ker (fun w => Q (fun i => s i w)).
Proof.
  intros [L H] Hs. split. auto. intros s' b Hs' G.
  apply (H (fun i w => s i (fun j => s' j w)) b); auto. intro i. apply (Meas_comp (s i)); auto.
Qed.

Lemma dirac_law a : IsLaw (dirac a).
Proof. split; unfold dirac; auto. Qed.
Lemma Ker_dirac {t} : Meas t -> Ker (fun w => dirac (t w)).
Proof.
  intro M. split. intro; apply dirac_law. intros s b Hs [G _]. unfold dirac.
  apply (Meas_comp (fun w => b (tl w) (w O)) (fun i w => match i with O => t (fun i => s i w) | S i => w i end) G).
  intros [|i]; [apply (Meas_comp t); auto|constructor].
Qed.

Lemma inner_good (Q : R -> Law) f : Ker (fun w => Q (w O)) -> Good1 f -> Good1 (fun y => Q y f).
Proof.
  intros K G. apply (Good_mean (fun _ => f) K).
  apply (Good_comp (fun w => f (w O)) (fun _ w => w O) G). intro; constructor.
Qed.
Lemma mix_law P Q : IsLaw P -> Ker (fun w => Q (w O)) -> IsLaw (mix P Q).
Proof.
  intros H K. assert (L : forall y, IsLaw (Q y)) by (intro y; apply (proj1 K (fun _ => y))). split; unfold mix; intros.
  - rewrite <- (law_add P H) by (apply inner_good; auto). f_equal. extensionality y. apply (law_add _ (L y)); auto.
  - rewrite <- (law_scal P H) by (apply inner_good; auto). f_equal. extensionality y. apply (law_scal _ (L y)); auto.
  - transitivity (P (fun _ => 1)); [f_equal; extensionality y; apply (law_one _ (L y))|apply (law_one P H)].
  - apply (law_mono P H); try (apply inner_good; auto). intro y. apply (law_mono _ (L y)); auto.
  - apply (law_lim P H (fun n y => Q y (fs n)) (fun y => Q y f) B).
    + intro n. apply inner_good; auto.
    + apply inner_good; auto.
    + intros n y. apply (law_bound _ _ _ (L y)); auto.
    + intro y. apply (law_lim _ (L y)) with (B := B); auto.
Qed.
Lemma Ker_mix {P} (Q : env -> R -> Law) : Ker P -> Ker (fun w => Q (tl w) (w O)) -> Ker (fun w => mix (P w) (Q w)).
Proof.
  intros KP KQ.
  assert (each : forall w, Ker (fun w' => Q w (w' O))).
  { intro w. apply (Ker_comp (fun w => Q (tl w) (w O)) (fun i w' => match i with O => w' O | S i => w i end) KQ).
    intros [|i]; constructor. }
  split. { intro w. apply mix_law; [apply KP|apply each]. }
  intros s b Hs G. unfold mix.
  apply (proj2 KP s (fun w y => Q (fun i => s i w) y (b w)) Hs).
  assert (KS : Ker (fun w => Q (fun i => s i (tl w)) (w O))).
  { apply (Ker_comp _ (fun i w => match i with O => w O | S i => s i (tl w) end) KQ).
    intros [|i]. constructor. apply (Meas_comp (s i) (fun j w => w (S j))); auto. intro; constructor. }
  apply (Good_mean (fun w => b (tl w)) KS).
  apply (Good_comp _ (fun i w => match i with O => w O | S i => w (S (S i)) end) G). intros [|i]; constructor.
Qed.
Lemma Ker_iter k (Q : env -> R -> R -> Law) {a} : Meas a -> Ker (fun w => Q (tl (tl w)) (w 1%nat) (w O)) ->
  Ker (fun w => iter k (a w) (Q w)).
Proof.
  intros M K. induction k; simpl. apply Ker_dirac; auto.
  apply (@Ker_mix (fun w => iter k (a w) (Q w)) (fun w h => Q w (INR k) h)); auto.
  apply (Ker_comp _ (fun i w => match i with O => w O | S O => INR k | S (S i) => w (S i) end) K).
  intros [|[|i]]; constructor.
Qed.
Lemma Ker_steps n (Q : env -> R -> R -> Law) {a} : Meas a -> Ker (fun w => Q (tl (tl w)) (w 1%nat) (w O)) ->
  Ker (fun w => steps n (a w) (Q w)).
Proof. apply Ker_iter. Qed.

(* the uniform law on finitely many points: all functions have a mean *)
Lemma total_add k f g : total k (fun x => f x + g x) = total k f + total k g.
Proof. induction k; simpl; lra. Qed.
Lemma total_scal k c f : total k (fun x => c * f x) = c * total k f.
Proof. induction k; simpl; lra. Qed.
Lemma total_one k : total k (fun _ => 1) = INR k.
Proof. induction k. reflexivity. rewrite S_INR. simpl. lra. Qed.
Lemma total_mono k f g : (forall x, f x <= g x) -> total k f <= total k g.
Proof. intro H. induction k; simpl. lra. specialize (H (INR k)). lra. Qed.
Lemma INR_S_pos k : 0 < INR (S k). Proof. apply lt_0_INR. lia. Qed.
Lemma unif_add n f g : Unif n (fun x => f x + g x) = Unif n f + Unif n g.
Proof. unfold Unif. destruct (natof n); auto. rewrite total_add. ring. Qed.
Lemma unif_scal n c f : Unif n (fun x => c * f x) = c * Unif n f.
Proof. unfold Unif. destruct (natof n); auto. rewrite total_scal. ring. Qed.
Lemma unif_one n : Unif n (fun _ => 1) = 1.
Proof. unfold Unif. destruct (natof n); auto. rewrite total_one. apply Rinv_l. apply Rgt_not_eq, INR_S_pos. Qed.
Lemma unif_mono n f g : (forall x, f x <= g x) -> mean (Unif n) f <= mean (Unif n) g.
Proof.
  unfold Unif, mean. intro H. destruct (natof n); auto. apply Rmult_le_compat_l.
  left. apply Rinv_0_lt_compat, INR_S_pos. apply total_mono; auto.
Qed.
Lemma unif_law n : IsLaw (Unif n).
Proof.
  split; intros. apply unif_add. apply unif_scal. apply unif_one. apply unif_mono; auto.
  unfold Unif. destruct (natof n) as [|k]; auto. apply (CV_mult (fun _ => / INR (S k))).
  { intros e He. exists O. intros. rewrite R_dist_eq. lra. }
  generalize (S k). intro m. induction m; simpl.
  { intros e He. exists O. intros. rewrite R_dist_eq. lra. }
  apply (CV_plus _ (fun i => fs i (INR m))); auto.
Qed.
Lemma total_meas k b : (forall x, Meas (fun w => b w x)) -> Meas (fun w => total k (b w)).
Proof. intro H. induction k; simpl. constructor. apply (@Meas_add (fun w => total k (b w))); auto. Qed.
Lemma Meas_unif n (b : env -> R -> R) : (forall x, Meas (fun w => b w x)) -> Meas (fun w => mean (Unif n) (b w)).
Proof.
  intro H. unfold mean, Unif. destruct (natof n) as [|k]; auto.
  apply (@Meas_mul (fun _ => / INR (S k))). constructor. apply total_meas; auto.
Qed.
Lemma total_good k b : (forall x, Good (fun w => b w x)) -> Good (fun w => total k (b w)).
Proof. intro H. induction k; simpl. apply Good_const. apply (@Good_add (fun w => total k (b w))); auto. Qed.
Lemma Good_unif n (b : env -> R -> R) : (forall x, Good (fun w => b w x)) -> Good (fun w => mean (Unif n) (b w)).
Proof.
  intro H. unfold mean, Unif. destruct (natof n) as [|k]; auto.
  apply (@Good_mul (fun _ => / INR (S k))). apply Good_const. apply total_good; auto.
Qed.
Lemma total_away k b : (forall x, Away (fun w => b w x)) -> Away (fun w => total (S k) (b w)).
Proof.
  intro H. induction k.
  - simpl. destruct (H 0) as [M [a [B [P K]]]]. split. apply (@Meas_add (fun _ => 0)); auto. constructor.
    exists a, B. split; auto. intro w. specialize (K w). lra.
  - apply (@Away_add (fun w => total (S k) (b w))); auto.
Qed.
Lemma Away_unif n (b : env -> R -> R) : (forall x, Away (fun w => b w x)) -> Away (fun w => mean (Unif n) (b w)).
Proof.
  intro H. unfold mean, Unif. destruct (natof n) as [|k]; auto.
  apply (@Away_mul (fun _ => / INR (S k))). apply Away_const. apply Rinv_0_lt_compat, INR_S_pos. apply total_away; auto.
Qed.
Lemma Ker_unif n : Ker (fun _ => Unif n).
Proof.
  split. intro; apply unif_law. intros s b Hs G. apply (Meas_unif n b). intro x.
  apply (Meas_comp _ (fun i w => match i with O => x | S i => w i end) (Good_meas G)). intros [|i]; constructor.
Qed.

Lemma total_Fubini (P : Law) k (b : R -> R -> R) : P (fun _ => 0) = 0 ->
  (forall j, P (fun x => total j (b x) + b x (INR j)) = P (fun x => total j (b x)) + P (fun x => b x (INR j))) ->
  P (fun x => total k (b x)) = total k (fun y => P (fun x => b x y)).
Proof. intros Z A. induction k; simpl; auto. rewrite A, IHk. reflexivity. Qed.
Lemma unif_Fubini P n (b : R -> R -> R) : IsLaw P -> (forall y, Good1 (fun x => b x y)) ->
  mean P (fun x => mean (Unif n) (fun y => b x y)) = mean (Unif n) (fun y => mean P (fun x => b x y)).
Proof.
  intros L G. unfold mean, Unif. destruct (natof n) as [|k]; auto.
  assert (T : forall j, Good1 (fun x => total j (b x))) by (intro j; apply (total_good j (fun w => b (w O))), G).
  rewrite (law_scal P L _ (fun x => total (S k) (b x))) by apply T. f_equal. apply total_Fubini. apply law_const; auto.
  intro j. apply (law_add P L); auto.
Qed.
Lemma unif_unif_Fubini m n (b : R -> R -> R) :
  mean (Unif m) (fun x => mean (Unif n) (fun y => b x y)) = mean (Unif n) (fun y => mean (Unif m) (fun x => b x y)).
Proof.
  unfold mean at 2 3. unfold Unif at 2 3. destruct (natof n) as [|k]; auto. unfold mean.
  rewrite unif_scal. f_equal. apply (total_Fubini (Unif m)); intros. apply law_const, unif_law. apply unif_add.
Qed.

(* ------------------------------------------------------------------------- functions and mechanisms, by their points *)

Definition at1 (x : R) : env := fun _ => x.
Definition at2 (x y : R) : env := fun i => match i with O => x | _ => y end.
Definition at3 (x y z : R) : env := fun i => match i with O => x | 1%nat => y | _ => z end.
Record Fun1 := { f1 : R -> R; f1_ok : Good (fun w => f1 (w O)) }.
Record Fun2 := { f2 : R -> R -> R; f2_ok : Good (fun w => f2 (w O) (w 1%nat)) }.
Record Fun3 := { f3 : R -> R -> R -> R; f3_ok : Good (fun w => f3 (w O) (w 1%nat) (w 2%nat)) }.
Record Fun4 := { f4 : R -> R -> R -> R -> R; f4_ok : Good (fun w => f4 (w O) (w 1%nat) (w 2%nat) (w 3%nat)) }.
Record Ker0 := { k0 : Law; k0_ok : Ker (fun w => k0) }.
Record Ker1 := { k1 : R -> Law; k1_ok : Ker (fun w => k1 (w O)) }.
Record Ker2 := { k2 : R -> R -> Law; k2_ok : Ker (fun w => k2 (w O) (w 1%nat)) }.
Record Ker3 := { k3 : R -> R -> R -> Law; k3_ok : Ker (fun w => k3 (w O) (w 1%nat) (w 2%nat)) }.
Record Ker4 := { k4 : R -> R -> R -> R -> Law; k4_ok : Ker (fun w => k4 (w O) (w 1%nat) (w 2%nat) (w 3%nat)) }.
Coercion f4 : Fun4 >-> Funclass. Coercion k4 : Ker4 >-> Funclass.
Coercion f1 : Fun1 >-> Funclass. Coercion f2 : Fun2 >-> Funclass. Coercion f3 : Fun3 >-> Funclass.
Coercion k0 : Ker0 >-> Law. Coercion k1 : Ker1 >-> Funclass. Coercion k2 : Ker2 >-> Funclass.
Coercion k3 : Ker3 >-> Funclass.

Lemma Good_app1 (f : Fun1) {a} : Meas a -> Good (fun w => f (a w)).
Proof. intro A. apply (Good_comp _ (fun _ => a) (f1_ok f)). auto. Qed.
Lemma Good_app2 (f : Fun2) {a b} : Meas a -> Meas b -> Good (fun w => f (a w) (b w)).
Proof. intros A B. apply (Good_comp _ (fun i => match i with O => a | _ => b end) (f2_ok f)). intros [|i]; auto. Qed.
Lemma Good_app3 (f : Fun3) {a b c} : Meas a -> Meas b -> Meas c -> Good (fun w => f (a w) (b w) (c w)).
Proof.
  intros A B C. apply (Good_comp _ (fun i => match i with O => a | 1%nat => b | _ => c end) (f3_ok f)).
  intros [|[|i]]; auto.
Qed.
Lemma Good_app4 (f : Fun4) {a b c d} : Meas a -> Meas b -> Meas c -> Meas d -> Good (fun w => f (a w) (b w) (c w) (d w)).
Proof.
  intros A B C D. apply (Good_comp _ (fun i => match i with O => a | 1%nat => b | 2%nat => c | _ => d end) (f4_ok f)).
  intros [|[|[|i]]]; auto.
Qed.
Lemma Ker_app4 (Q : Ker4) {a b c d} : Meas a -> Meas b -> Meas c -> Meas d -> Ker (fun w => Q (a w) (b w) (c w) (d w)).
Proof.
  intros A B C D. apply (Ker_comp _ (fun i => match i with O => a | 1%nat => b | 2%nat => c | _ => d end) (k4_ok Q)).
  intros [|[|[|i]]]; auto.
Qed.
Lemma Ker_app1 (Q : Ker1) {a} : Meas a -> Ker (fun w => Q (a w)).
Proof. intro A. apply (Ker_comp _ (fun _ => a) (k1_ok Q)). auto. Qed.
Lemma Ker_app2 (Q : Ker2) {a b} : Meas a -> Meas b -> Ker (fun w => Q (a w) (b w)).
Proof. intros A B. apply (Ker_comp _ (fun i => match i with O => a | _ => b end) (k2_ok Q)). intros [|i]; auto. Qed.
Lemma Ker_app3 (Q : Ker3) {a b c} : Meas a -> Meas b -> Meas c -> Ker (fun w => Q (a w) (b w) (c w)).
Proof.
  intros A B C. apply (Ker_comp _ (fun i => match i with O => a | 1%nat => b | _ => c end) (k3_ok Q)).
  intros [|[|i]]; auto.
Qed.

(* ------------------------------------------------------------------------------------------------------ named facts *)

(** "means: Fubini" *)
Axiom means_Fubini : forall (P Q : Law) (b : R -> R -> R), Ker (fun _ => P) -> Ker (fun _ => Q) ->
  Good (fun w => b (w O) (w 1%nat)) -> mean P (fun x => mean Q (fun y => b x y)) = mean Q (fun y => mean P (fun x => b x y)).
(** "the uniform law on [0, 1]" *)
Axiom the_uniform_law_on_0_1 : {U : Law | Ker (fun _ => U) /\
  forall t, 0 <= t -> t <= 1 -> mean U (fun u => ind u t) = t}.
Definition Unit : Law := proj1_sig the_uniform_law_on_0_1.
Lemma Ker_unit : Ker (fun _ => Unit). Proof. exact (proj1 (proj2_sig the_uniform_law_on_0_1)). Qed.
Lemma unit_rule t : 0 <= t -> t <= 1 -> mean Unit (fun u => ind u t) = t.
Proof. exact (proj2 (proj2_sig the_uniform_law_on_0_1) t). Qed.
(** "densities of Lap(b) and N(0, v)": a law has one in proportion to e^-F *)
Definition has_density (L : Law) (F : R -> R) : Prop :=
  forall f g s c, s = 1 \/ s = -1 -> Good1 f -> Good1 g ->
  (forall x, f x <= g x * exp (F x + (-1) * F (s * (x + (-1) * c)))) -> mean L f <= mean L (fun x => g (s * x + c)).
Axiom laws_with_a_density : {laws : Ker1 * Ker1 |
  (forall b, 0 < b -> has_density (fst laws b) (fun x => (x * (2 * ind 0 x + (-1) * 1)) * / b)) /\
  (forall v, 0 < v -> has_density (snd laws v) (fun x => (x * x) * / (2 * v)))}.
Definition Lap : Ker1 := fst (proj1_sig laws_with_a_density).
Definition Normal : Ker1 := snd (proj1_sig laws_with_a_density).
Definition moved_Lap := proj1 (proj2_sig laws_with_a_density).
Definition moved_Normal := proj2 (proj2_sig laws_with_a_density).

(* -------------------------------------------------------------------------------------------------------- the rules *)

Lemma induct (C : R -> Prop) : C 0 -> (forall n, nat_ n -> C n -> C (n + 1)) -> forall n, nat_ n -> C n.
Proof.
  intros H0 HS n [k ->]. induction k. exact H0. rewrite S_INR. apply HS; auto. exists k; auto.
Qed.
Lemma cases (a b : R) (C : Prop) : (a <= b -> C) -> (b < a -> C) -> C.
Proof. intros. destruct (Rle_or_lt a b); auto. Qed.
Lemma square t : 0 <= t * t. Proof. nra. Qed.
Lemma reciprocal t : 0 < t -> t * / t = 1. Proof. intros. apply Rinv_r. lra. Qed.
Lemma indicator0 a b : ind a b * ind a b = ind a b. Proof. unfold ind. destruct (Rle_dec a b); ring. Qed.
Lemma indicator1 a b : 0 <= ind a b * (b + -1 * a). Proof. unfold ind. destruct (Rle_dec a b); lra. Qed.
Lemma indicator2 a b : 0 <= (1 + -1 * ind a b) * (a + -1 * b). Proof. unfold ind. destruct (Rle_dec a b); lra. Qed.
Lemma indicator3 a b : 0 <= ind a b. Proof. unfold ind. destruct (Rle_dec a b); lra. Qed.
Lemma indicator4 a b : ind a b <= 1. Proof. unfold ind. destruct (Rle_dec a b); lra. Qed.
Lemma exp_tangent t : 1 + t <= exp t. Proof. apply exp_ineq1_le. Qed.
Lemma nat_zero : nat_ 0. Proof. exists O. reflexivity. Qed.
Lemma nat_next n : nat_ n -> nat_ (n + 1). Proof. intros [k ->]. exists (S k). rewrite S_INR. reflexivity. Qed.
Lemma nat_minus n m : nat_ n -> nat_ m -> n < m -> nat_ (m + -1 * n + -1 * 1).
Proof.
  intros [j ->] [k ->] H. apply INR_lt in H. exists (k - j - 1)%nat. rewrite !minus_INR by lia. simpl. lra.
Qed.
Lemma nat_equal {a b} : nat_ a -> a = b -> nat_ b. Proof. intros H <-. exact H. Qed.
Lemma mono_le P f g : IsLaw P -> Good1 f -> Good1 g -> (forall x, f x <= g x) -> mean P f <= mean P g.
Proof. intro H. apply (law_mono P H). Qed.
Lemma mean_cong {P P' : Law} {f g : R -> R} : P = P' -> (forall x, f x = g x) -> mean P f = mean P' g.
Proof. intros -> H. f_equal. extensionality x. auto. Qed.
Lemma mix_cong {P P' : Law} {Q Q' : R -> Law} : P = P' -> (forall x, Q x = Q' x) -> mix P Q = mix P' Q'.
Proof. intros -> H. f_equal. extensionality x. auto. Qed.
Lemma steps_cong {n n' a a' : R} {Q Q' : R -> R -> Law} : n = n' -> a = a' -> (forall i h, Q i h = Q' i h) ->
  steps n a Q = steps n' a' Q'.
Proof. intros -> -> H. f_equal. extensionality i. extensionality h. auto. Qed.
Lemma uniform_next n f : nat_ n -> (n + 1) * mean (Unif (n + 1)) f = n * mean (Unif n) f + f n.
Proof.
  intros [k ->]. rewrite <- S_INR. unfold mean, Unif. rewrite !natof_INR. pose proof (INR_S_pos k).
  rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. simpl total at 1. destruct k.
  - simpl. ring.
  - pose proof (INR_S_pos k). rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. reflexivity.
Qed.
Lemma steps_zero a Q f : mean (steps 0 a Q) f = f a.
Proof. unfold mean, steps. change 0 with (INR 0). rewrite natof_INR. reflexivity. Qed.
Lemma steps_next n a Q f : nat_ n -> mean (steps (n + 1) a Q) f = mean (steps n a Q) (fun h => mean (Q n h) f).
Proof. intros [k ->]. rewrite <- S_INR. unfold mean, steps. rewrite !natof_INR. reflexivity. Qed.
Lemma some_natural t (C : Prop) : (forall n, nat_ n -> t <= n -> C) -> C.
Proof.
  intro K. destruct (Rle_or_lt t 0) as [L|L]. { apply (K (INR 0)); [exists O; auto|simpl; lra]. }
  destruct (archimed t) as [A _]. apply (K (INR (Z.to_nat (up t)))); [eexists; eauto|].
  assert (0 < up t)%Z by (apply lt_IZR; lra). rewrite INR_IZR_INZ, Z2Nat.id by lia. lra.
Qed.
Lemma some_bound1 (b : R -> R) (C : Prop) : Good (fun w => b (w O)) -> (forall B, (forall x, b x <= B) -> C) -> C.
Proof. intros [_ [B H]] K. apply (K B). intro x. eapply Rle_trans; [apply Rle_abs|apply (H (at1 x))]. Qed.
Lemma some_bound2 (b : R -> R -> R) (C : Prop) : Good (fun w => b (w O) (w 1%nat)) ->
  (forall B, (forall x y, b x y <= B) -> C) -> C.
Proof. intros [_ [B H]] K. apply (K B). intros x y. eapply Rle_trans; [apply Rle_abs|apply (H (at2 x y))]. Qed.
Lemma some_bound3 (b : R -> R -> R -> R) (C : Prop) : Good (fun w => b (w O) (w 1%nat) (w 2%nat)) ->
  (forall B, (forall x y z, b x y z <= B) -> C) -> C.
Proof. intros [_ [B H]] K. apply (K B). intros x y z. eapply Rle_trans; [apply Rle_abs|apply (H (at3 x y z))]. Qed.

(* the normal form: linearity of means, exponentials, reciprocals, indicators *)
Definition has (P : Law) (f : R -> R) (v : R) : Prop := Good1 f /\ mean P f = v.
Lemma has_atom {P} (f : R -> R) : Good1 f -> has P f (mean P f). Proof. split; auto. Qed.
Lemma has_const {P} c : IsLaw P -> has P (fun _ => c) c.
Proof. intro H. split. apply Good1_const. apply law_const; auto. Qed.
Lemma has_scal {P} c {f v} : IsLaw P -> has P f v -> has P (fun x => c * f x) (c * v).
Proof.
  intros H [G <-]. split. apply (@Good_mul (fun _ => c)); auto. apply Good_const. apply (law_scal P H); auto.
Qed.
Lemma has_add {P f g u v} : IsLaw P -> has P f u -> has P g v -> has P (fun x => f x + g x) (u + v).
Proof. intros H [G <-] [K <-]. split. apply (@Good_add (fun w => f (w O))); auto. apply (law_add P H); auto. Qed.
Definition hasU (n : R) (f : R -> R) (v : R) : Prop := mean (Unif n) f = v.
Lemma hasU_atom {n} f : hasU n f (mean (Unif n) f). Proof. reflexivity. Qed.
Lemma hasU_const {n} c : hasU n (fun _ => c) c.
Proof.
  unfold hasU, mean. replace (fun _ : R => c) with (fun _ : R => c * 1) by (extensionality x; ring).
  rewrite (unif_scal n c (fun _ => 1)), unif_one. ring.
Qed.
Lemma hasU_scal {n} c {f v} : hasU n f v -> hasU n (fun x => c * f x) (c * v).
Proof. intros <-. apply unif_scal. Qed.
Lemma hasU_add {n f g u v} : hasU n f u -> hasU n g v -> hasU n (fun x => f x + g x) (u + v).
Proof. intros <- <-. apply unif_add. Qed.
Arguments hasU_atom {n} & f. Arguments hasU_const {n} & c. Arguments hasU_scal {n} & c {f v} _.
Arguments hasU_add {n f g u v} & _ _. Arguments has_atom {P} & f _. Arguments has_const {P} & c _.
Arguments has_scal {P} & c {f v} _ _. Arguments has_add {P f g u v} & _ _ _.
Lemma exp_merge {a b c} : a + b = c -> exp a * exp b = exp c. Proof. intros <-. symmetry. apply exp_plus. Qed.
Lemma exp_merge0 {a b} : a + b = 0 -> exp a * exp b = 1. Proof. intro H. rewrite <- exp_plus, H. apply exp_0. Qed.
Lemma exp_zero {a} : a = 0 -> exp a = 1. Proof. intros ->. apply exp_0. Qed.
Lemma inv_exp {a} : / exp a = exp (-1 * a). Proof. rewrite <- exp_Ropp. f_equal. ring. Qed.
Lemma ind_shift {a b c} : b + -1 * a = c -> ind a b = ind 0 c.
Proof. intros <-. unfold ind. destruct (Rle_dec a b), (Rle_dec 0 _); auto; lra. Qed.
Lemma ind_one {a b c} : b + -1 * a = c -> 0 <= c -> ind a b = 1.
Proof. intros <- H. unfold ind. destruct (Rle_dec a b); auto; lra. Qed.
Lemma ind_zero {a b c} : b + -1 * a = c -> c < 0 -> ind a b = 0.
Proof. intros <- H. unfold ind. destruct (Rle_dec a b); auto; lra. Qed.

(* identities: both sides are polynomials with rational coefficients in the numbers of a list; Coq computes them *)
Definition of_Q (q : Q) : R :=
  match Qden q with 1%positive => IZR (Qnum q) | d => IZR (Qnum q) / IZR (Zpos d) end.
Definition q_minus (x y : Q) : Q := Qred (x + - y).
Lemma of_Q_eq q : of_Q q = Q2R q.
Proof. destruct q as [n [d|d|]]; try reflexivity. unfold of_Q, Q2R. simpl. lra. Qed.
Lemma of_Q_red q : of_Q (Qred q) = of_Q q. Proof. rewrite !of_Q_eq. apply Qeq_eqR, Qred_correct. Qed.
Lemma rationals : ring_morph 0 1 Rplus Rmult Rminus Ropp eq 0%Q 1%Q Qplus' Qmult' q_minus Qopp Qeq_bool of_Q.
Proof.
  constructor; intros; unfold Qplus', Qmult', q_minus; rewrite ?of_Q_red; auto; rewrite ?of_Q_eq.
  - apply Q2R_plus.
  - rewrite Q2R_plus, Q2R_opp. reflexivity.
  - apply Q2R_mult.
  - apply Q2R_opp.
  - apply Qeq_eqR, Qeq_bool_eq. assumption.
Qed.
Definition value : list R -> PExpr Q -> R := PEeval 0 1 Rplus Rmult Rminus Ropp of_Q N.to_nat pow.
Definition no_division : Q -> Q -> Q * Q := triv_div 0%Q 1%Q Qeq_bool.
Definition computed : PExpr Q -> Pol Q :=
  norm_subst 0%Q 1%Q Qplus' Qmult' q_minus Qopp Qeq_bool no_division O nil.
Lemma same_value l p q : Peq Qeq_bool (computed p) (computed q) = true -> value l p = value l q.
Proof.
  pose (ext := Eq_ext Rplus Rmult Ropp). pose (ring := Rth_ARth (Eqsth R) ext RTheory).
  exact (ring_correct (Eqsth R) ext ring rationals R_power_theory (triv_div_th (Eqsth R) ext ring rationals) O l nil p q I).
Qed.
Notation by_value l p q := (same_value l p q ltac:(vm_cast_no_check (@eq_refl bool true))) (only parsing).
Notation p_add := (@PEadd Q) (only parsing).
Notation p_mul := (@PEmul Q) (only parsing).
Notation p_x := (@PEX Q) (only parsing).
Notation p_c n d := (PEc (Qmake n d)) (only parsing).
Lemma by_gaps {x y z} : x = y + z -> z = 0 -> x = y. Proof. lra. Qed.
Lemma no_gap r {a b} : a = b -> r * (a + -1 * b) = 0. Proof. intros ->. ring. Qed.
Lemma no_gaps {x y} : x = 0 -> y = 0 -> x + y = 0. Proof. lra. Qed.

(* calc: right - left is a sum of products of what is known *)
Lemma calc_le {a b s} : b + -1 * a = s -> 0 <= s -> a <= b. Proof. lra. Qed.
Lemma calc_lt {a b s} : b + -1 * a = s -> 0 < s -> a < b. Proof. lra. Qed.
Lemma calc_eq {a b s} : b + -1 * a = s -> 0 = s -> a = b. Proof. lra. Qed.
Lemma diff_le {a b} : a <= b -> 0 <= b + -1 * a. Proof. lra. Qed.
Lemma diff_lt {a b} : a < b -> 0 < b + -1 * a. Proof. lra. Qed.
Lemma diff_eq {a b} : a = b -> 0 = b + -1 * a. Proof. lra. Qed.
Lemma mul_zero m {x} : 0 = x -> 0 = m * x. Proof. intros <-. ring. Qed.
Lemma mul_le {m x} : 0 <= m -> 0 <= x -> 0 <= m * x. Proof. nra. Qed.
Lemma mul_lt {m x} : 0 < m -> 0 < x -> 0 < m * x. Proof. nra. Qed.
Lemma weak {x} : 0 < x -> 0 <= x. Proof. lra. Qed.
Lemma weak_eq {x} : 0 = x -> 0 <= x. Proof. lra. Qed.
Lemma sum_le {x y} : 0 <= x -> 0 <= y -> 0 <= x + y. Proof. lra. Qed.
Lemma sum_lt_le {x y} : 0 < x -> 0 <= y -> 0 < x + y. Proof. lra. Qed.
Lemma sum_le_lt {x y} : 0 <= x -> 0 < y -> 0 < x + y. Proof. lra. Qed.
Lemma sum_eq {x y} : 0 = x -> 0 = y -> 0 = x + y. Proof. lra. Qed.
Lemma from_zero_le {z m} : z = 0 -> z <= m -> 0 <= m. Proof. lra. Qed.
Lemma from_zero_lt {z m} : z = 0 -> z < m -> 0 < m. Proof. lra. Qed.
Lemma conv_le {a b c d} : b + -1 * a = d + -1 * c -> a <= b -> c <= d. Proof. lra. Qed.
Lemma conv_lt {a b c d} : b + -1 * a = d + -1 * c -> a < b -> c < d. Proof. lra. Qed.
Lemma conv_eq {a b c d} : b + -1 * a = d + -1 * c -> a = b -> c = d. Proof. lra. Qed.
Lemma conv_eq' {a b c d} : b + -1 * a = c + -1 * d -> a = b -> c = d. Proof. lra. Qed.

(* what a name stands for that a step mentions and its theorem does not *)
Definition some_Fun1 : Fun1 := Build_Fun1 (fun _ => 0) (Good_const 0).
Definition some_Fun2 : Fun2 := Build_Fun2 (fun _ _ => 0) (Good_const 0).
Definition some_Fun3 : Fun3 := Build_Fun3 (fun _ _ _ => 0) (Good_const 0).
Definition some_Fun4 : Fun4 := Build_Fun4 (fun _ _ _ _ => 0) (Good_const 0).
Definition some_Ker4 : Ker4 := Build_Ker4 (fun _ _ _ _ => dirac 0) (Ker_dirac (Meas_const 0)).
Definition some_Ker0 : Ker0 := Build_Ker0 (dirac 0) (Ker_dirac (Meas_const 0)).
Definition some_Ker1 : Ker1 := Build_Ker1 (fun _ => dirac 0) (Ker_dirac (Meas_const 0)).
Definition some_Ker2 : Ker2 := Build_Ker2 (fun _ _ => dirac 0) (Ker_dirac (Meas_const 0)).
Definition some_Ker3 : Ker3 := Build_Ker3 (fun _ _ _ => dirac 0) (Ker_dirac (Meas_const 0)).
Lemma hasU_eq {n f v} : hasU n f v -> mean (Unif n) f = v. Proof. auto. Qed.
Lemma has_eq {P f v} : has P f v -> mean P f = v. Proof. intros [_ H]. exact H. Qed.
Arguments hasU_eq {n f v} & _. Arguments has_eq {P f v} & _.
