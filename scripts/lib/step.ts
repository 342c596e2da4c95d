/** Prints one line per step, with its time. */
const seconds = (began: number) => `${((performance.now() - began) / 1000).toFixed(1)} s`

export async function step<T>(doing: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now()
  console.log(`· ${doing}`)
  try {
    const result = await work()
    console.log(`✓ ${doing}  ${seconds(began)}`)
    return result
  } catch (error) {
    console.error(`✗ ${doing}  ${seconds(began)}`)
    throw error
  }
}

/** Runs all in parallel. Waits for all, then throws the first failure. */
export async function together(all: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const outcome of await Promise.allSettled(all.map((work) => work())))
    if (outcome.status === 'rejected') throw outcome.reason
}

/** An error becomes one sentence and exit code 1. */
export async function command(main: () => Promise<void>): Promise<void> {
  try {
    await main()
  } catch (error) {
    console.error(error instanceof Error ? `\n${error.message}` : error)
    process.exitCode = 1
  }
}
