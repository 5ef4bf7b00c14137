CREATE TABLE `background_jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
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
CREATE INDEX `background_jobs_ready` ON `background_jobs` (`status`,`not_before`,`id`);--> statement-breakpoint
CREATE INDEX `background_jobs_subject` ON `background_jobs` (`subject_id`,`kind`,`id`);