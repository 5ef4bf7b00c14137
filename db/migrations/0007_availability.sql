ALTER TABLE `background_jobs` ADD `worker_failures` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `jobs` ADD `worker_failures` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `answers` ADD `unread_reason` text;--> statement-breakpoint
ALTER TABLE `exports` ADD `created_by_key` text;