ALTER TABLE `oauth_records` ADD `first_used_at` integer;--> statement-breakpoint
ALTER TABLE `one_time_links` ADD `user_id` text REFERENCES users(id);--> statement-breakpoint
ALTER TABLE `web_sessions` ADD `id` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `web_sessions` ADD `browser` text;--> statement-breakpoint
ALTER TABLE `web_sessions` ADD `last_used_at` integer;--> statement-breakpoint
CREATE INDEX `web_sessions_id` ON `web_sessions` (`id`);--> statement-breakpoint
UPDATE `web_sessions` SET `id` = lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-a' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)));
