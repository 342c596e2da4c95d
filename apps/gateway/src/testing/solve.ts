import { hash } from 'node:crypto'
import type { EmailChallenge, EmailSolution } from '@postern/protocol'

export function solve(challenge: EmailChallenge): EmailSolution {
  for (let number = 0; number <= challenge.max; number += 1) {
    if (hash('sha256', `${challenge.salt}${number}`) === challenge.target) {
      return { ...challenge, number }
    }
  }
  throw new Error('The challenge has no solution')
}
