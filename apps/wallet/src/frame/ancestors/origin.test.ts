import { describe, expect, it } from 'vitest'
import { createDappOrigin, readAncestors } from './origin'

const page = {
  modalOrigin: 'https://modal.test',
  allowedOrigins: ['https://app.example', 'https://portal.example'],
  defaultAncestors: false,
}

describe('the frame’s ancestors', () => {
  it.each([
    ['the modal in an allowed dapp', ['https://modal.test', 'https://app.example'], ['https://app.example']],
    [
      'a dapp in another allowed page',
      ['https://modal.test', 'https://app.example', 'https://portal.example'],
      ['https://app.example', 'https://portal.example'],
    ],
  ])('2. accepts %s', (_, ancestors, around) => {
    expect(readAncestors(ancestors, page)).toEqual({ around })
  })

  it.each([
    ['no parent: opened directly', []],
    ['the modal, opened directly', ['https://modal.test']],
    ['the dapp without the modal', ['https://app.example', 'https://app.example']],
    ['another page that plays the modal', ['https://evil.example', 'https://app.example']],
    ['the modal in a page that is not on the list', ['https://modal.test', 'https://evil.example']],
    [
      'the modal in a dapp that a stranger embeds',
      ['https://modal.test', 'https://app.example', 'https://evil.example'],
    ],
    ['the modal in an opaque page', ['https://modal.test', 'null']],
  ])('1. rejects %s', (_, ancestors) => {
    expect(readAncestors(ancestors, page)).toBe('refused')
  })

  it('3. is unknown if the browser does not report ancestors', () => {
    expect(readAncestors(undefined, page)).toBe('unknown')
  })
})

describe('the dapp’s origin', () => {
  it('is the one that the browser reports, whatever the modal says', () => {
    const origin = createDappOrigin({ around: ['https://app.example', 'https://outer.example'] }, page)
    origin.tell('https://portal.example/')
    expect(origin.get()).toBe('https://app.example')
    expect(origin.around()).toEqual(['https://app.example', 'https://outer.example'])
  })

  it('is the modal’s word if the browser reports none and it is on the list', () => {
    const origin = createDappOrigin('unknown', page)
    expect(origin.get()).toBe('')
    for (const url of [
      '',
      'app.example',
      'https://evil.example',
      'javascript:alert(1)',
      'https://app.example.evil.example',
    ]) {
      origin.tell(url)
      expect(origin.get()).toBe('')
      expect(origin.around()).toEqual([])
    }
    origin.tell('https://app.example/some/page?x=1')
    expect(origin.get()).toBe('https://app.example')
    origin.tell('https://evil.example')
    expect(origin.get()).toBe('https://app.example')
    expect(origin.around()).toEqual(['https://app.example'])
  })
})
