import { Injectable, signal } from '@angular/core'
import { createPostern } from '@postern/client'

@Injectable({ providedIn: 'root' })
export class WalletService {
  readonly postern = createPostern({
    projectId: 'dev',
    host: 'http://127.0.0.1:4400',
    networks: ['ethereum', 'base'],
  })
  readonly snapshot = signal(this.postern.getSnapshot())

  constructor() {
    this.postern.subscribe(() => this.snapshot.set(this.postern.getSnapshot()))
  }
}
