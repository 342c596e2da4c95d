/** How often a random walk is made: `WALKS`, or `runs`, and no new one begins after 50 minutes. For `fc.assert`. */
export function walks(runs: number) {
  return { numRuns: Number(process.env.WALKS ?? runs), interruptAfterTimeLimit: 3_000_000 }
}
