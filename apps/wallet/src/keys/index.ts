import { releaseProxy, wrap } from 'comlink'
import type { SigningWorker } from '../contract'
import { startWorker } from './trusted-worker'
import workerAddress from './worker?worker&url'

export type Signer = {
  readonly worker: SigningWorker
  readonly end: () => void
}

/** Calls reject with a `KeyFailure`, or another error if the worker is not running. */
export function startSigner(): Signer {
  const thread = startWorker(workerAddress, 'postern-signer')
  const remote = wrap<SigningWorker>(thread)
  let stopped: () => void = () => undefined
  const broken = new Promise<never>((_resolve, reject) => {
    stopped = () => reject(new Error('The signing worker has stopped'))
  })
  // Without a pending call, no code handles the rejection.
  broken.catch(() => undefined)
  thread.addEventListener('error', stopped)
  const settled = <T>(call: Promise<T>) => Promise.race([call, broken])
  return {
    worker: {
      draft: (given) => settled(remote.draft(given)),
      create: (given) => settled(remote.create(given)),
      replace: (source, given) => settled(remote.replace(source, given)),
      isReplacement: (given) => settled(remote.isReplacement(given)),
      endDeleted: (source, given) => settled(remote.endDeleted(source, given)),
      signRemoval: (source, given) => settled(remote.signRemoval(source, given)),
      isEnd: (given) => settled(remote.isEnd(given)),
      split: (source, given) => settled(remote.split(source, given)),
      setRecovery: (source, given) => settled(remote.setRecovery(source, given)),
      recover: (given) => settled(remote.recover(given)),
      bind: (source, given) => settled(remote.bind(source, given)),
      isProven: (given) => settled(remote.isProven(given)),
      sign: (source, job) => settled(remote.sign(source, job)),
      exportKeys: (source) => settled(remote.exportKeys(source)),
    },
    end() {
      stopped()
      thread.removeEventListener('error', stopped)
      remote[releaseProxy]()
      thread.terminate()
    },
  }
}
