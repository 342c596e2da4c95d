import type { Clock } from '@postern/base/clock'
import type { SigningWorker } from '../contract'
import { isWorkerFailure } from '../failures'

export type Signer = {
  use<T>(work: (worker: SigningWorker) => Promise<T>): Promise<T>
  end(): void
}

export type RunningSigner = { readonly worker: SigningWorker; readonly end: () => void }

const idleTimeMs = 60_000

/**
 * Runs the signing worker while it is needed.
 *
 * 1. The worker starts on the first use of a key and serves all calls.
 * 2. It ends a minute after the last use, and with the session.
 * 3. After a failed start or a crash, the next use restarts it.
 */
export function createSigner(start: () => Promise<RunningSigner>, clock: Clock): Signer {
  let running: Promise<RunningSigner> | null = null
  let users = 0
  let stopTimer = () => {}

  function end(): void {
    stopTimer()
    const ended = running
    running = null
    ended?.then(
      (signer) => signer.end(),
      () => {},
    )
  }

  return {
    async use(work) {
      stopTimer()
      users += 1
      const used = running ?? start()
      running = used
      try {
        const { worker } = await used.catch((thrown: unknown) => {
          if (running === used) running = null
          throw thrown
        })
        return await work(worker)
      } catch (thrown) {
        if (running === used && !isWorkerFailure(thrown)) end()
        throw thrown
      } finally {
        users -= 1
        if (users === 0) stopTimer = clock.after(idleTimeMs, end)
      }
    },
    end,
  }
}
