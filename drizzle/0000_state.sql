CREATE TABLE "artefacts" (
	"hash" text PRIMARY KEY NOT NULL,
	"columns" text NOT NULL,
	"rows" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "decisions" (
	"plan_id" text PRIMARY KEY NOT NULL,
	"digest" text NOT NULL,
	"units" text NOT NULL,
	"verdict" text NOT NULL,
	"by" text NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"reason" text,
	"how" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "environment_history" (
	"project" text NOT NULL,
	"environment" text NOT NULL,
	"promotion" integer NOT NULL,
	"plan_id" text,
	"run" text NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"models" text NOT NULL,
	CONSTRAINT "environment_history_project_environment_promotion_pk" PRIMARY KEY("project","environment","promotion")
);
--> statement-breakpoint
CREATE TABLE "environments" (
	"project" text NOT NULL,
	"name" text NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "environments_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"promotion" integer NOT NULL,
	"plan_id" text,
	"promoted_at" timestamp(3) with time zone,
	"models" text NOT NULL,
	CONSTRAINT "environments_project_name_pk" PRIMARY KEY("project","name")
);
--> statement-breakpoint
CREATE TABLE "intents" (
	"project" text NOT NULL,
	"environment" text NOT NULL,
	"run" text NOT NULL,
	"promotion" integer NOT NULL,
	"digest" text NOT NULL,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "intents_project_environment_pk" PRIMARY KEY("project","environment")
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" text PRIMARY KEY NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "jobs_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"plan_id" text NOT NULL,
	"requested_by" text NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"state" text NOT NULL,
	"worker" text,
	"run" text,
	"problems" text DEFAULT '[]' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lease_scopes" (
	"scope" text PRIMARY KEY NOT NULL,
	"epoch" bigint
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"epoch" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "leases_epoch_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"run" text NOT NULL,
	"holder" text NOT NULL,
	"since" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "plan_events" (
	"position" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "plan_events_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"plan_id" text NOT NULL,
	"state" text NOT NULL,
	"by" text NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"reason" text,
	"moved" text DEFAULT '[]' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "plans" (
	"id" text PRIMARY KEY NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "plans_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"digest" text NOT NULL,
	"format" integer NOT NULL,
	"project" text NOT NULL,
	"environment" text NOT NULL,
	"author" text NOT NULL,
	"folder" text NOT NULL,
	"effects_key" text NOT NULL,
	"effects" text NOT NULL,
	"context" text NOT NULL,
	"state" text NOT NULL,
	"state_by" text,
	"state_at" timestamp(3) with time zone NOT NULL,
	"state_reason" text,
	"moved" text DEFAULT '[]' NOT NULL,
	"superseded_by" text,
	CONSTRAINT "plans_digest_unique" UNIQUE("digest")
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"name" text PRIMARY KEY NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "run_events" (
	"run" text NOT NULL,
	"seq" integer NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"action" text,
	"event" text NOT NULL,
	CONSTRAINT "run_events_run_seq_pk" PRIMARY KEY("run","seq")
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"id" text PRIMARY KEY NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "runs_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"plan_id" text NOT NULL,
	"project" text NOT NULL,
	"environment" text NOT NULL,
	"state" text NOT NULL,
	"started_by" text NOT NULL,
	"started_at" timestamp(3) with time zone NOT NULL,
	"ended_at" timestamp(3) with time zone,
	"stage" text,
	"total" integer NOT NULL,
	"last_seq" integer NOT NULL,
	CONSTRAINT "runs_planId_unique" UNIQUE("plan_id")
);
--> statement-breakpoint
CREATE TABLE "snapshots" (
	"id" text PRIMARY KEY NOT NULL,
	"model" text NOT NULL,
	"format" text NOT NULL,
	"body" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "state_format" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"min_reader" integer NOT NULL,
	"min_writer" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "submissions" (
	"project" text NOT NULL,
	"environment" text NOT NULL,
	"last" integer NOT NULL,
	CONSTRAINT "submissions_project_environment_pk" PRIMARY KEY("project","environment")
);
--> statement-breakpoint
CREATE TABLE "version_history" (
	"position" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "version_history_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project" text NOT NULL,
	"model" text NOT NULL,
	"lookup_key" text NOT NULL,
	"version" text NOT NULL,
	"run" text NOT NULL,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"body" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "versions" (
	"project" text NOT NULL,
	"model" text NOT NULL,
	"lookup_key" text NOT NULL,
	"version" text NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "versions_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"partitioned_by" text NOT NULL,
	"relation_schema" text NOT NULL,
	"relation_name" text NOT NULL,
	"definition" text NOT NULL,
	"content" text NOT NULL,
	"columns" text NOT NULL,
	"pristine" boolean NOT NULL,
	"filled" boolean NOT NULL,
	"preview" boolean NOT NULL,
	CONSTRAINT "versions_project_model_lookup_key_version_pk" PRIMARY KEY("project","model","lookup_key","version")
);
--> statement-breakpoint
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "environments" ADD CONSTRAINT "environments_project_projects_name_fk" FOREIGN KEY ("project") REFERENCES "public"."projects"("name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "intents" ADD CONSTRAINT "intents_run_runs_id_fk" FOREIGN KEY ("run") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lease_scopes" ADD CONSTRAINT "lease_scopes_epoch_leases_epoch_fk" FOREIGN KEY ("epoch") REFERENCES "public"."leases"("epoch") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_events" ADD CONSTRAINT "plan_events_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plans" ADD CONSTRAINT "plans_project_projects_name_fk" FOREIGN KEY ("project") REFERENCES "public"."projects"("name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_events" ADD CONSTRAINT "run_events_run_runs_id_fk" FOREIGN KEY ("run") REFERENCES "public"."runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "submissions" ADD CONSTRAINT "submissions_project_projects_name_fk" FOREIGN KEY ("project") REFERENCES "public"."projects"("name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "versions" ADD CONSTRAINT "versions_project_projects_name_fk" FOREIGN KEY ("project") REFERENCES "public"."projects"("name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_open" ON "jobs" USING btree ("plan_id") WHERE "jobs"."state" in ('waiting', 'working');--> statement-breakpoint
CREATE INDEX "plan_events_plan" ON "plan_events" USING btree ("plan_id");--> statement-breakpoint
CREATE UNIQUE INDEX "plans_waiting" ON "plans" USING btree ("effects_key") WHERE "plans"."state" in ('open', 'approved');--> statement-breakpoint
CREATE INDEX "plans_target" ON "plans" USING btree ("project","environment","state");--> statement-breakpoint
CREATE INDEX "run_events_done" ON "run_events" USING btree ("run","action") WHERE "run_events"."kind" = 'action_done';--> statement-breakpoint
CREATE INDEX "runs_environment" ON "runs" USING btree ("environment");--> statement-breakpoint
CREATE INDEX "version_history_version" ON "version_history" USING btree ("project","model","version");