CREATE TABLE `organization_domains` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`domain` text NOT NULL,
	`token` text NOT NULL,
	`created_at` integer NOT NULL,
	`verified_at` integer,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organization_domains_claim` ON `organization_domains` (`organization_id`,`domain`);--> statement-breakpoint
CREATE UNIQUE INDEX `organization_domains_owner` ON `organization_domains` (`domain`) WHERE verified_at is not null;--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_background_jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text,
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`not_before` integer NOT NULL,
	`lease_owner` text,
	`progress` text,
	`failure_reason` text,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_background_jobs`("id", "organization_id", "workspace_id", "kind", "subject_id", "status", "attempts", "not_before", "lease_owner", "progress", "failure_reason", "created_at", "finished_at") SELECT "id", "organization_id", "workspace_id", "kind", "subject_id", "status", "attempts", "not_before", "lease_owner", "progress", "failure_reason", "created_at", "finished_at" FROM `background_jobs`;--> statement-breakpoint
DROP TABLE `background_jobs`;--> statement-breakpoint
ALTER TABLE `__new_background_jobs` RENAME TO `background_jobs`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `background_jobs_ready` ON `background_jobs` (`status`,`not_before`,`id`);--> statement-breakpoint
CREATE INDEX `background_jobs_subject` ON `background_jobs` (`subject_id`,`kind`,`id`);--> statement-breakpoint
CREATE TABLE `__new_errands` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text,
	`endpoint` text NOT NULL,
	`subject_id` text NOT NULL,
	`user_id` text NOT NULL,
	`idempotency_key` text,
	`input_hash` text NOT NULL,
	`plan` text NOT NULL,
	`audit` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_errands`("id", "organization_id", "workspace_id", "endpoint", "subject_id", "user_id", "idempotency_key", "input_hash", "plan", "audit", "created_at") SELECT "id", "organization_id", "workspace_id", "endpoint", "subject_id", "user_id", "idempotency_key", "input_hash", "plan", "audit", "created_at" FROM `errands`;--> statement-breakpoint
DROP TABLE `errands`;--> statement-breakpoint
ALTER TABLE `__new_errands` RENAME TO `errands`;--> statement-breakpoint
CREATE UNIQUE INDEX `errands_subject` ON `errands` (`endpoint`,`subject_id`);--> statement-breakpoint
CREATE INDEX `errands_key` ON `errands` (`user_id`,`endpoint`,`idempotency_key`);