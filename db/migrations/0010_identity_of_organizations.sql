ALTER TABLE `api_keys` ADD `signed_in_through` text REFERENCES organizations(id);--> statement-breakpoint
ALTER TABLE `oauth_records` ADD `signed_in_through` text REFERENCES organizations(id);--> statement-breakpoint
ALTER TABLE `organization_members` ADD `suspended_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `managed_by_organization_id` text REFERENCES organizations(id);--> statement-breakpoint
ALTER TABLE `web_sessions` ADD `signed_in_through` text REFERENCES organizations(id);--> statement-breakpoint
CREATE INDEX `web_sessions_user` ON `web_sessions` (`user_id`);