ALTER TABLE `sso_codes` ADD `for_program` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `sso_codes` ADD `loopback_uri` text;