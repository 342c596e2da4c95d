import { expect as baseExpect } from '@playwright/test'

const poll: typeof baseExpect.poll = (actual, options) =>
  baseExpect.poll(actual, {
    intervals: [20, 50, 100, 100, 200],
    ...(typeof options === 'string' ? { message: options } : options),
  })

/** Playwright's own, which looks more often: left to itself it looks once a second soon, and most of what is waited for takes less. */
export const expect = new Proxy(baseExpect, {
  get: (target, name) => (name === 'poll' ? poll : Reflect.get(target, name)),
})
