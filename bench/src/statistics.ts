/** Smallest value that `share` (0 to 1) of the sample does not exceed. Throws if empty. */
export function percentile(sample: readonly number[], share: number): number {
  const sorted = [...sample].sort((a, b) => a - b)
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]
  if (value === undefined) throw new Error('A percentile needs at least one sample')
  return value
}

/** Throws if empty. */
export function median(sample: readonly number[]): number {
  if (sample.length === 0) throw new Error('A median needs at least one sample')
  const sorted = [...sample].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const high = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? 0) + high) / 2
}
