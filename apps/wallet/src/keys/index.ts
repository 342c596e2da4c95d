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
      draft: (params) => settled(remote.draft(params)),
      create: (params) => settled(remote.create(params)),
      replace: (source, params) => settled(remote.replace(source, params)),
      isReplacement: (params) => settled(remote.isReplacement(params)),
      endDeleted: (source, params) => settled(remote.endDeleted(source, params)),
      signRemoval: (source, params) => settled(remote.signRemoval(source, params)),
      isEnd: (params) => settled(remote.isEnd(params)),
      split: (source, params) => settled(remote.split(source, params)),
      setRecovery: (source, params) => settled(remote.setRecovery(source, params)),
      recover: (params) => settled(remote.recover(params)),
      bind: (source, params) => settled(remote.bind(source, params)),
      isProven: (params) => settled(remote.isProven(params)),
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
