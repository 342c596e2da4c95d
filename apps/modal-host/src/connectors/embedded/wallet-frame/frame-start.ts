import type { Clock } from '@postern/base/clock'
import { type Waiter, waitIn } from '@postern/link/abort'
import { limits } from '@postern/protocol'
import type { Failure } from '@postern/protocol/failure'

export type FrameStart = {
  isReady(): boolean
  /** Resolves once the frame is ready, in the order of the calls; rejects with the failure that ends the start. */
  ready(signal: AbortSignal | undefined): Promise<void>
  /** Called for a new frame, and for one that has reloaded. */
  begin(): void
  /** The frame says that it is ready. */
  announced(): void
  end(failure: Failure): void
}

/** The start of one frame: requirement 2 of `createWalletFrame`. */
export function createFrameStart(options: {
  readonly clock: Clock
  /** Called before those who wait continue. */
  readonly onReady: () => void
  readonly onTimeout: () => void
}): FrameStart {
  const { clock, onReady, onTimeout } = options
  const waiting = new Set<Waiter>()
  let isReady = false
  let stopTimer = () => {}

  return {
    isReady: () => isReady,
    ready: (signal) => waitIn(waiting, signal),
    begin() {
      stopTimer()
      isReady = false
      stopTimer = clock.after(limits.iframeReadyTimeout, onTimeout)
    },
    announced() {
      if (isReady) return
      stopTimer()
      stopTimer = clock.after(limits.walletFrameReadyDelay, () => {
        if (isReady) return
        isReady = true
        onReady()
        for (const { resolve } of [...waiting]) resolve()
      })
    },
    end(failure) {
      stopTimer()
      for (const { reject } of [...waiting]) reject(failure)
    },
  }
}
