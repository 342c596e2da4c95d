import { expect as baseExpect } from '@playwright/test'

const poll: typeof baseExpect.poll = (actual, options) =>
  baseExpect.poll(actual, {
    intervals: [20, 50, 100, 100, 200],
    ...(typeof options === 'string' ? { message: options } : options),
  })

/** Polls more often than Playwright, which soon polls only once a second. */
export const expect = new Proxy(baseExpect, {
  get: (target, name) => (name === 'poll' ? poll : Reflect.get(target, name)),
})
