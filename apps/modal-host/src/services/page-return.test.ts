// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest'
import { pageReturns, shortAbsenceMs } from './page-return'

let visibility: DocumentVisibilityState
let time: number
let calls: number
beforeEach(() => {
  visibility = 'visible'
  time = 1_000_000
  calls = 0
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => visibility })
})

const start = () =>
  pageReturns(
    window,
    () => time,
  )(() => {
    calls += 1
  })

function become(next: DocumentVisibilityState): void {
  visibility = next
  document.dispatchEvent(new Event('visibilitychange'))
}

const show = (persisted: boolean) => window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }))

describe('pageReturns', () => {
  it('1. calls back after a long absence only', () => {
    const stop = start()
    become('hidden')
    time += shortAbsenceMs - 1
    become('visible')
    expect(calls).toBe(0)
    become('hidden')
    time += shortAbsenceMs
    become('visible')
    expect(calls).toBe(1)
    become('visible')
    expect(calls).toBe(1)
    stop()
  })

  it('1. counts an absence that began before', () => {
    visibility = 'hidden'
    const stop = start()
    time += shortAbsenceMs
    become('visible')
    expect(calls).toBe(1)
    stop()
  })

  it('2., 3. calls back from the cache and when online, until it is stopped', () => {
    const stop = start()
    show(false)
    expect(calls).toBe(0)
    show(true)
    window.dispatchEvent(new Event('online'))
    expect(calls).toBe(2)
    stop()
    show(true)
    window.dispatchEvent(new Event('online'))
    become('hidden')
    time += shortAbsenceMs
    become('visible')
    expect(calls).toBe(2)
  })
})
