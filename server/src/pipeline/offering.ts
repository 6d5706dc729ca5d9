import type { Candidate, Contract, Offer, SurfaceId } from '../../../shared/src/model.ts';
import { SandboxEnded } from '../evaluation/process.ts';
import type { Sandbox } from '../evaluation/sandbox.ts';
import type { Packages } from '../files/packages.ts';
import { type OfferGroup, offerGroups, offerRequest, toOffers } from './offers.ts';

/** What offering asks of the pipeline. */
export interface OfferingHost {
  readonly sandbox: Sandbox;
  readonly packages: Packages;
  /** The surfaces that the configuration of a file lets judge. */
  surfacesOf(file: string): 'auto' | readonly SurfaceId[];
  /** Whether the schema objects of a candidate are gone with the process that held them. */
  isLost(candidate: Candidate): boolean;
  /** Evaluates candidates anew; answers all contracts that are new because of it. */
  bringBack(candidates: readonly Candidate[]): Promise<readonly Contract[]>;
  /** Evaluates a candidate once more, for its schema objects only: what is known of it stays. */
  reevaluate(candidate: Candidate): Promise<void>;
}

/** What the surfaces make of tools, kept until it is forgotten. */
export class Offering {
  private readonly offers = new Map<string, readonly Offer[]>();
  /** What is uncertain about a surface, by surface and folder. */
  private readonly notesBySurface = new Map<string, string>();

  constructor(private readonly host: OfferingHost) {}

  /** The offers of a contract by its id; undefined when its surfaces were not asked. */
  of(id: string): readonly Offer[] | undefined {
    return this.offers.get(id);
  }

  /** Sentences for people. */
  notes(): Iterable<string> {
    return this.notesBySurface.values();
  }

  forget(id: string): void {
    this.offers.delete(id);
  }

  clear(): void {
    this.offers.clear();
    this.notesBySurface.clear();
  }

  /** Asks the surfaces of tools. A tool that ends the process is told apart from the others. */
  async offer(contracts: readonly Contract[]): Promise<void> {
    const present = await this.broughtBack(contracts);
    for (const group of this.groups(present)) {
      try {
        await this.offerGroup(group);
      } catch (error) {
        if (!(error instanceof SandboxEnded)) throw error;
        await this.offerOneByOne(group, error);
      }
    }
  }

  /**
   * The same, while other things are asked of the process, so that nobody can be blamed when it ends.
   *
   * @throws SandboxEnded then; nothing of it counts
   */
  async offerHastily(contracts: readonly Contract[]): Promise<void> {
    try {
      if (contracts.some(({ candidate }) => this.host.isLost(candidate)))
        throw new SandboxEnded('exit', 'the sandbox process is a new one');
      for (const group of this.groups(contracts)) await this.offerGroup(group);
    } catch (error) {
      for (const { id } of contracts) this.forget(id);
      throw error;
    }
  }

  /** Brings tools whose schema objects are in a process that is gone back, with their offers. */
  async revive(contracts: readonly Contract[]): Promise<void> {
    await this.offer(contracts.filter(({ candidate }) => this.host.isLost(candidate)));
  }

  private groups(contracts: readonly Contract[]): OfferGroup[] {
    return offerGroups(contracts, this.host.packages, (file) => this.host.surfacesOf(file));
  }

  /**
   * Brings schema objects back into the present process, as far as they are not in it.
   *
   * @returns the contracts, with others that were evaluated anew beside them, whose offers are gone too
   */
  private async broughtBack(contracts: readonly Contract[]): Promise<Contract[]> {
    const present = new Map(contracts.map((contract) => [contract.id, contract]));
    const lost = new Map<string, Candidate>();
    for (const { candidate } of contracts) if (this.host.isLost(candidate)) lost.set(candidate.id, candidate);
    if (lost.size > 0) {
      for (const contract of await this.host.bringBack([...lost.values()])) present.set(contract.id, contract);
    }
    return [...present.values()];
  }

  /** @throws SandboxEnded */
  private async offerGroup(group: OfferGroup): Promise<void> {
    const tools = group.contracts.map(offerRequest);
    const answer = await this.host.sandbox.request('offer', { surface: group.surface, from: group.from, tools });
    const { offers, note } = toOffers(group, answer);
    if (note !== undefined) this.notesBySurface.set(`${group.surface} ${group.folder}`, note);
    for (const offer of offers) this.add(offer);
    if (!answer.installed && group.surface !== 'contract') await this.standIn(group);
  }

  private add(offer: Offer): void {
    this.offers.set(offer.contract, [...(this.offers.get(offer.contract) ?? []), offer]);
  }

  /** Lets the schema's own zod stand in for an SDK that cannot be driven; once, however many there are. */
  private async standIn(group: OfferGroup): Promise<void> {
    const contracts = group.contracts.filter(
      ({ id }) => !this.offers.get(id)?.some(({ surface }) => surface.id === 'contract'),
    );
    if (contracts.length > 0) await this.offerGroup({ ...group, surface: 'contract', contracts });
  }

  /** A tool whose listing ends the process must not take the others' offers with it. */
  private async offerOneByOne(group: OfferGroup, error: SandboxEnded): Promise<void> {
    const [only] = group.contracts;
    if (only && group.contracts.length === 1) {
      this.add({
        surface: { id: group.surface },
        contract: only.id,
        advertised: null,
        outputSchema: null,
        listError: `Listing the tool failed: ${error.message}.`,
      });
      return;
    }
    for (const contract of group.contracts) {
      await this.host.reevaluate(contract.candidate);
      // What other surfaces made of it is gone with the process.
      this.forget(contract.id);
      for (const alone of this.groups([contract])) {
        try {
          await this.offerGroup(alone);
        } catch (again) {
          if (!(again instanceof SandboxEnded)) throw again;
          await this.offerOneByOne(alone, again);
        }
      }
    }
  }
}
