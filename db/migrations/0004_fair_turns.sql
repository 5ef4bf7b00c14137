CREATE TABLE `brand_claims` (
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`brand_id` text NOT NULL,
	`key` text NOT NULL,
	`kind` text NOT NULL,
	`cased` text NOT NULL,
	`case_sensitive` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`brand_id`) REFERENCES `brands`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `brand_claims_key` ON `brand_claims` (`workspace_id`,`kind`,`key`);--> statement-breakpoint
CREATE INDEX `brand_claims_brand` ON `brand_claims` (`brand_id`);--> statement-breakpoint
DROP INDEX `collects_open`;--> statement-breakpoint
ALTER TABLE `collects` ADD `reading_changes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `collects` ADD `is_scheduled` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `collects_open` ON `collects` (`finished_at`,`is_scheduled`,`organization_id`,`id`);--> statement-breakpoint
DROP INDEX `jobs_collect`;--> statement-breakpoint
CREATE INDEX `jobs_collect` ON `jobs` (`collect_id`,`status`,`source`,`not_before`,`id`);--> statement-breakpoint
ALTER TABLE `workspaces` ADD `catalog_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
INSERT INTO `brand_claims` (`organization_id`, `workspace_id`, `brand_id`, `key`, `kind`, `cased`, `case_sensitive`)
SELECT `brands`.`organization_id`, `brands`.`workspace_id`, `brands`.`id`, json_extract(`claims`.`value`, '$.key'),
	json_extract(`claims`.`value`, '$.kind'), json_extract(`claims`.`value`, '$.cased'), json_extract(`claims`.`value`, '$.caseSensitive')
FROM `brands`, json_each(brand_claims_of(`brands`.`name`, `brands`.`aliases`, `brands`.`domains`)) AS `claims`;
