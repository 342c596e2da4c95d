/** Median of a sample, in the sample's unit. Throws on an empty one: no figure is better than an invented one. */
export function median(sample: readonly number[]): number {
  if (sample.length === 0) throw new Error('No sample to take the median of')
  const sorted = [...sample].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const high = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? 0) + high) / 2
}
