//! What a dashboard shows of a project: score, grades, hot spots, the trend, and what is owed.

use crate::report::{Display, html};
use crate::reviewer::Review;
use formicary_model::review::{Category, Grade, HotSpot, Trend};
use std::collections::BTreeMap;

/// A review as a dashboard shows it.
#[derive(Debug, Clone, Copy)]
pub struct QualityDashboard<'a> {
    review: &'a Review,
}

impl<'a> QualityDashboard<'a> {
    /// The dashboard of a review.
    pub fn new(review: &'a Review) -> Self {
        Self { review }
    }

    /// The score, 0–100, and its letter.
    pub fn score(&self) -> (f64, Grade) {
        let score = &self.review.report.score;
        (score.total, score.grade)
    }

    /// The letter of each category.
    pub fn grades(&self) -> BTreeMap<Category, Grade> {
        self.review.report.score.categories.iter().map(|score| (score.category, score.grade)).collect()
    }

    /// The worst places, hottest first.
    pub fn hot_spots(&self) -> &'a [HotSpot] {
        &self.review.report.score.hot_spots
    }

    /// Earlier reviews, oldest first.
    pub fn trend(&self) -> &'a [Trend] {
        &self.review.report.history
    }

    /// How the score moved since the review before; none where there was none.
    pub fn movement(&self) -> Option<f64> {
        self.review.report.movement
    }

    /// Technical debt in minutes.
    pub fn debt_minutes(&self) -> u32 {
        self.review.report.debt_minutes
    }

    /// The page.
    pub fn html(&self) -> String {
        html::write(self.review, &Display::default())
    }
}
