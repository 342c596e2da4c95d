import { Component, computed, inject, signal } from '@angular/core'
import { WalletService } from './wallet.service'

/** "Hello" as hexadecimal bytes. */
const message = '0x48656c6c6f'

@Component({
  selector: 'app-root',
  template: `
    <h1>Angular</h1>
    <button type="button" (click)="wallet.postern.open()" (pointerenter)="wallet.postern.prewarm()">
      {{ address() ? 'Account' : 'Connect' }}
    </button>
    @if (address()) {
      <section>
        <p>{{ address() }}</p>
        <button type="button" (click)="sign()">Sign a message</button>
        <output>{{ answer() }}</output>
      </section>
    }
  `,
})
export class AppComponent {
  readonly wallet = inject(WalletService)
  readonly answer = signal('')
  readonly address = computed(() => {
    const { eip155 } = this.wallet.snapshot().connections
    return eip155?.status === 'connected' ? eip155.accounts[0]?.address : undefined
  })

  async sign(): Promise<void> {
    const { eip155 } = this.wallet.postern
    try {
      this.answer.set(await eip155.request({ method: 'personal_sign', params: [message, this.address()] }))
    } catch (error) {
      this.answer.set(String(error))
    }
  }
}
