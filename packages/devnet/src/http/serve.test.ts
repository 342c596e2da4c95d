import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningServer, serve } from './serve'

let server: RunningServer
beforeAll(async () => {
  server = await serve({ port: 0, answer: () => ({ body: 'served' }) })
})
afterAll(() => server.stop())

/** `fetch` does not let a caller set the host. */
const statusOf = (headers: Readonly<Record<string, string>>) =>
  new Promise<number | undefined>((resolve, reject) => {
    request({ host: '127.0.0.1', port: server.port, headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })

test.each([
  ['a program', {}],
  ['a page on localhost', { origin: 'http://localhost:4500' }],
  ['a page below localhost', { origin: 'http://demo.localhost:4500' }],
])('1. serves %s', async (_, headers) => {
  expect(await statusOf(headers)).toBe(200)
})

test.each([
  ['a page on another site', { origin: 'https://evil.example' }],
  ['a page without an origin of its own', { origin: 'null' }],
  ['a host name that resolves to loopback', { host: 'evil.example' }],
])('1. refuses %s', async (_, headers) => {
  expect(await statusOf(headers)).toBe(403)
})
