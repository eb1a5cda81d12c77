//! Logistic regression by Newton's method, with weights that may not be negative.

/// Keeps the weights of separable data finite.
const RIDGE: f64 = 0.01;
const ROUNDS: usize = 50;

/// An example: its features, whether it is positive, and how much it counts.
#[derive(Debug, Clone)]
pub(crate) struct Example {
    pub(crate) features: Vec<f64>,
    pub(crate) positive: bool,
    pub(crate) weight: f64,
}

/// Returns the constant and the weights. A weight that would be negative is zero, and the others are fitted without it.
pub(crate) fn fit(examples: &[Example]) -> Vec<f64> {
    let count = examples.first().map_or(0, |example| example.features.len());
    let mut used: Vec<usize> = (0..count).collect();
    loop {
        let fitted = newton(examples, &used, RIDGE);
        let lowest = (1..fitted.len()).min_by(|a, b| fitted[*a].total_cmp(&fitted[*b]));
        match lowest.filter(|at| fitted[*at] < 0.0) {
            Some(at) => {
                used.remove(at - 1);
            }
            None => {
                let mut weights = vec![0.0; count + 1];
                weights[0] = fitted[0];
                used.iter().zip(&fitted[1..]).for_each(|(feature, weight)| weights[feature + 1] = *weight);
                return weights;
            }
        }
    }
}

/// Returns the constant and the weights, whatever their signs.
pub(crate) fn fit_with_signs(examples: &[Example]) -> Vec<f64> {
    let count = examples.first().map_or(0, |example| example.features.len());
    newton(examples, &(0..count).collect::<Vec<_>>(), 1.0)
}

pub(crate) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn newton(examples: &[Example], used: &[usize], ridge: f64) -> Vec<f64> {
    let size = used.len() + 1;
    let mut weights = vec![0.0; size];
    for _ in 0..ROUNDS {
        let mut gradient = vec![0.0; size];
        let mut hessian = vec![vec![0.0; size]; size];
        for example in examples {
            let x: Vec<f64> = std::iter::once(1.0).chain(used.iter().map(|at| example.features[*at])).collect();
            let p = sigmoid(x.iter().zip(&weights).map(|(x, w)| x * w).sum());
            let error = f64::from(u8::from(example.positive)) - p;
            for i in 0..size {
                gradient[i] += example.weight * error * x[i];
                for j in 0..size {
                    hessian[i][j] += example.weight * p * (1.0 - p) * x[i] * x[j];
                }
            }
        }
        for i in 0..size {
            gradient[i] -= ridge * weights[i];
            hessian[i][i] += ridge;
        }
        let step = solve(hessian, gradient);
        weights.iter_mut().zip(&step).for_each(|(weight, step)| *weight += step);
        if step.iter().all(|step| step.abs() < 1e-9) {
            break;
        }
    }
    weights
}

/// Solves a system of linear equations by elimination.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for column in 0..size {
        let pivot = (column..size).max_by(|a, b| matrix[*a][column].abs().total_cmp(&matrix[*b][column].abs()));
        let pivot = pivot.unwrap_or(column);
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        for row in column + 1..size {
            let factor = matrix[row][column] / matrix[column][column];
            let (upper, lower) = matrix.split_at_mut(row);
            for (value, pivot) in lower[0].iter_mut().zip(&upper[column]).skip(column) {
                *value -= factor * pivot;
            }
            right[row] -= factor * right[column];
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|at| matrix[row][at] * right[at]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_a_known_curve_are_found_again() {
        let examples: Vec<Example> = (0..2000)
            .flat_map(|at| {
                let x = f64::from(at) / 1000.0 - 1.0;
                let p = sigmoid(0.5 + 3.0 * x);
                // Each example stands twice: as positive with its probability, and as negative with the rest.
                [(true, p), (false, 1.0 - p)].map(|(positive, weight)| Example {
                    features: vec![x, -x],
                    positive,
                    weight,
                })
            })
            .collect();
        let weights = fit(&examples);
        assert!((weights[0] - 0.5).abs() < 0.05 && (weights[1] - 3.0).abs() < 0.1, "{weights:?}");
        assert_eq!(weights[2], 0.0, "a negative weight is left out");
    }
}
