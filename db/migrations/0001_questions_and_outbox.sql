ALTER TABLE `keywords` RENAME TO `questions`;--> statement-breakpoint
ALTER TABLE `jobs` RENAME COLUMN `keyword_id` TO `question_id`;--> statement-breakpoint
ALTER TABLE `answers` RENAME COLUMN `keyword_id` TO `question_id`;--> statement-breakpoint
DROP INDEX `answers_keyword`;--> statement-breakpoint
CREATE INDEX `answers_of_question` ON `answers` (`question_id`,`id`);--> statement-breakpoint
CREATE TABLE `__new_questions` (
	`id` text PRIMARY KEY NOT NULL,
	`analysis_id` text NOT NULL,
	`position` integer NOT NULL,
	`text` text NOT NULL,
	`type` text NOT NULL,
	`funnel_stage` text,
	`thematic_id` text,
	`topic_id` text,
	`persona_id` text,
	`strength_id` text,
	`weakness_id` text,
	`related_product_id` text,
	`sub_brand_id` text,
	`intent` text NOT NULL,
	`search_volume` integer,
	`trends` text,
	`search_interest_trends` text,
	`related_queries` text,
	FOREIGN KEY (`analysis_id`) REFERENCES `analyses`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`thematic_id`) REFERENCES `facets`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`topic_id`) REFERENCES `facets`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`persona_id`) REFERENCES `personas`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`strength_id`) REFERENCES `facets`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`weakness_id`) REFERENCES `facets`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`related_product_id`) REFERENCES `facets`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`sub_brand_id`) REFERENCES `facets`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_questions`("id", "analysis_id", "position", "text", "type", "funnel_stage", "thematic_id", "topic_id", "persona_id", "strength_id", "weakness_id", "related_product_id", "sub_brand_id", "intent", "search_volume", "trends", "search_interest_trends", "related_queries") SELECT "id", "analysis_id", "position", "text", "type", "funnel_stage", "thematic_id", "topic_id", "persona_id", "strength_id", "weakness_id", "related_product_id", "sub_brand_id", "intent", "search_volume", "trends", "search_interest_trends", "related_queries" FROM `questions`;--> statement-breakpoint
DROP TABLE `questions`;--> statement-breakpoint
ALTER TABLE `__new_questions` RENAME TO `questions`;--> statement-breakpoint
CREATE UNIQUE INDEX `questions_analysis` ON `questions` (`analysis_id`,`position`);
--> statement-breakpoint
ALTER TABLE `errands` RENAME TO `outbox`;--> statement-breakpoint
DROP INDEX `errands_subject`;--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_subject` ON `outbox` (`endpoint`,`subject_id`);--> statement-breakpoint
DROP INDEX `errands_key`;--> statement-breakpoint
CREATE INDEX `outbox_key` ON `outbox` (`user_id`,`endpoint`,`idempotency_key`);--> statement-breakpoint
UPDATE `background_jobs` SET `kind` = 'finish_outbox_entry' WHERE `kind` = 'finish_errand';
