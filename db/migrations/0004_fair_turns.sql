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
CREATE TABLE `import_rejections` (
	`collect_id` text NOT NULL,
	`line` integer NOT NULL,
	`message` text NOT NULL,
	PRIMARY KEY(`collect_id`, `line`),
	FOREIGN KEY (`collect_id`) REFERENCES `collects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `imports` (
	`collect_id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`sha256` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`is_large` integer NOT NULL,
	`has_file` integer NOT NULL,
	`offset_bytes` integer NOT NULL,
	`lines_read` integer NOT NULL,
	`collect_name` text,
	`rejected_count` integer NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`collect_id`) REFERENCES `collects`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `imports_open` ON `imports` (`ended_at`,`organization_id`);--> statement-breakpoint
CREATE INDEX `imports_file` ON `imports` (`sha256`,`has_file`);--> statement-breakpoint
DROP INDEX `collects_open`;--> statement-breakpoint
ALTER TABLE `collects` ADD `reading_changes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `collects` ADD `is_scheduled` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `collects` ADD `collected_from` integer;--> statement-breakpoint
ALTER TABLE `collects` ADD `collected_to` integer;--> statement-breakpoint
ALTER TABLE `collects` ADD `answer_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `collects_organization` ON `collects` (`organization_id`,`succeeded`,`answer_bytes`);--> statement-breakpoint
CREATE INDEX `collects_open` ON `collects` (`finished_at`,`is_scheduled`,`organization_id`,`id`);--> statement-breakpoint
DROP INDEX `jobs_collect`;--> statement-breakpoint
CREATE INDEX `jobs_collect` ON `jobs` (`collect_id`,`status`,`source`,`not_before`,`id`);--> statement-breakpoint
ALTER TABLE `workspaces` ADD `catalog_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `collects` SET
	`answer_bytes` = `held`.`bytes`,
	`collected_from` = `held`.`first`,
	`collected_to` = `held`.`last`
FROM (
	SELECT `collect_id`, sum(octet_length(`raw_body`)) AS `bytes`, min(`collected_at`) AS `first`, max(`collected_at`) AS `last`
	FROM `answers` GROUP BY `collect_id`
) AS `held` WHERE `held`.`collect_id` = `collects`.`id`;--> statement-breakpoint
INSERT INTO `brand_claims` (`organization_id`, `workspace_id`, `brand_id`, `key`, `kind`, `cased`, `case_sensitive`)
SELECT `brands`.`organization_id`, `brands`.`workspace_id`, `brands`.`id`, json_extract(`claims`.`value`, '$.key'),
	json_extract(`claims`.`value`, '$.kind'), json_extract(`claims`.`value`, '$.cased'), json_extract(`claims`.`value`, '$.caseSensitive')
FROM `brands`, json_each(brand_claims_of(`brands`.`name`, `brands`.`aliases`, `brands`.`domains`)) AS `claims`;
