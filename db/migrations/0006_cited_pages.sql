CREATE TABLE `cited_pages` (
	`collect_id` text NOT NULL,
	`source` text NOT NULL,
	`domain` text NOT NULL,
	`url` text NOT NULL,
	`competitor_type` text NOT NULL,
	`brand_id` text,
	`answers` integer NOT NULL,
	`citations` integer NOT NULL,
	PRIMARY KEY(`collect_id`, `source`, `domain`, `url`),
	FOREIGN KEY (`collect_id`) REFERENCES `collects`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`brand_id`) REFERENCES `brands`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `cited_pages_brand` ON `cited_pages` (`brand_id`);--> statement-breakpoint
INSERT INTO `cited_pages` SELECT a.`collect_id`, a.`source`, c.`domain`, c.`url`, min(c.`competitor_type`), max(c.`brand_id`), count(DISTINCT c.`answer_id`), count(*) FROM `citations` c JOIN `answers` a ON a.`id` = c.`answer_id` JOIN `collects` k ON k.`id` = a.`collect_id` WHERE k.`status` IN ('completed', 'partial') GROUP BY a.`collect_id`, a.`source`, c.`domain`, c.`url`;--> statement-breakpoint
INSERT INTO `cited_pages` SELECT a.`collect_id`, a.`source`, c.`domain`, '', min(c.`competitor_type`), max(c.`brand_id`), count(DISTINCT c.`answer_id`), count(*) FROM `citations` c JOIN `answers` a ON a.`id` = c.`answer_id` JOIN `collects` k ON k.`id` = a.`collect_id` WHERE k.`status` IN ('completed', 'partial') GROUP BY a.`collect_id`, a.`source`, c.`domain`;--> statement-breakpoint
INSERT INTO `cited_pages` SELECT a.`collect_id`, a.`source`, '', '', 'UNKNOWN', NULL, count(DISTINCT c.`answer_id`), count(*) FROM `citations` c JOIN `answers` a ON a.`id` = c.`answer_id` JOIN `collects` k ON k.`id` = a.`collect_id` WHERE k.`status` IN ('completed', 'partial') GROUP BY a.`collect_id`, a.`source`;
