import { describe, expect, it } from 'vitest'
import { originText } from './origin-text'

describe('originText', () => {
  it('is the host of a secure origin, the full text of any other, and punycode for lookalikes', () => {
    expect(originText('https://app.example:8443')).toBe('app.example:8443')
    expect(originText('http://localhost:4500')).toBe('http://localhost:4500')
    expect(originText('https://аpple.example')).toBe('xn--pple-43d.example')
    expect(originText('not an origin')).toBe('not an origin')
  })
})
