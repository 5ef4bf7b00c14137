CREATE TABLE `errands` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
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
CREATE UNIQUE INDEX `errands_subject` ON `errands` (`endpoint`,`subject_id`);--> statement-breakpoint
CREATE INDEX `errands_key` ON `errands` (`user_id`,`endpoint`,`idempotency_key`);--> statement-breakpoint
CREATE TABLE `partner_connections` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`partner_workspace_id` text NOT NULL,
	`sealed_token` text NOT NULL,
	`token_hint` text NOT NULL,
	`recipients` text NOT NULL,
	`max_brief_length` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `partner_watches` (
	`brief_id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`since` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
