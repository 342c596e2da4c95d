import { describe, expect, test } from 'vitest'
import { warnOfHost } from './host-warning'

const warningsAt = (page: string, host: string) => {
  const warnings: string[] = []
  warnOfHost(
    { origin: page, console: Object.assign(Object.create(console), { warn: (text: string) => warnings.push(text) }) },
    host,
  )
  return warnings
}
const development = 'http://modal.postern.localhost:4400'

describe('without `host`', () => {
  test('a page in production is warned, with what to set', () => {
    expect(warningsAt('https://dapp.example', development)).toEqual([
      `Postern: set \`host\` to the origin of your gateway. The default is ${development}.`,
    ])
  })

  test.each([
    ['http://localhost:5173', development],
    ['http://127.0.0.1:3000', development],
    ['http://[::1]:3000', development],
    ['http://demo.localhost:4500', development],
    ['https://dapp.example', 'https://modal.example'],
  ])('%s with the default %s is not', (page, host) => {
    expect(warningsAt(page, host)).toEqual([])
  })
})
