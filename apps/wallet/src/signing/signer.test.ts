import { manualClock } from '@postern/base/testing/manual-clock'
import { expect, it, vi } from 'vitest'
import { signingWorker } from '../keys/signing-worker'
import { createSigner } from './signer'

function setUp() {
  const ended: number[] = []
  let started = 0
  const start = vi.fn(async () => {
    const mine = started++
    return { worker: signingWorker(), end: () => void ended.push(mine) }
  })
  return { start, ended, signer: createSigner(start, manualClock()) }
}

it('3. restarts a crashed worker on the next use', async () => {
  const { start, ended, signer } = setUp()
  const broken = signer.use(() => Promise.reject(new Error('The signing worker has stopped')))
  await expect(broken).rejects.toThrow('stopped')
  expect(await signer.use(async () => 'signed')).toBe('signed')
  expect(start).toHaveBeenCalledTimes(2)
  expect(ended).toEqual([0])
})

it('3. keeps a worker that rejects its input', async () => {
  const { start, signer } = setUp()
  await expect(signer.use(() => Promise.reject(new Error('BAD_SHARES')))).rejects.toThrow('BAD_SHARES')
  await signer.use(async () => 'signed')
  expect(start).toHaveBeenCalledOnce()
})

it('3. retries a worker that failed to start', async () => {
  const { start, signer } = setUp()
  start.mockRejectedValueOnce(new Error('offline'))
  await expect(signer.use(async () => 'signed')).rejects.toThrow('offline')
  expect(await signer.use(async () => 'signed')).toBe('signed')
})
