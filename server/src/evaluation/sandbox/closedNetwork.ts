import dgram from 'node:dgram';
import dns from 'node:dns';
import net from 'node:net';
import { fix, refusal, refuseMembers } from './refuse.ts';

const DGRAM = ['send', 'bind', 'connect', 'addMembership', 'addSourceSpecificMembership'];

/**
 * Closes all ways to the network. Node's permission flag covers none of them up to version 24. What is built on sockets
 * (http, tls, http2, fetch) stops with them.
 */
export function closeNetwork(): void {
  refuseMembers(net.Socket.prototype, 'net.Socket', ['connect']);
  refuseMembers(net.Server.prototype, 'net.Server', ['listen']);
  refuseMembers(net, 'net', ['_createServerHandle']);
  refuseMembers(dgram.Socket.prototype, 'dgram.Socket', DGRAM);
  refuseMembers(dgram, 'dgram', ['_createSocketHandle']);
  for (const resolver of [dns, dns.promises]) {
    refuseMembers(resolver.Resolver.prototype, 'dns.Resolver', methodsOf(resolver.Resolver.prototype));
    refuseMembers(
      resolver,
      'dns',
      Object.keys(resolver).filter((name) => /^(lookup|resolve|reverse|setServers)/.test(name)),
    );
  }
  refuseDescriptors();
}

function methodsOf(prototype: object): string[] {
  const names: string[] = [];
  for (let owner = prototype; owner !== Object.prototype; owner = Object.getPrototypeOf(owner) as object) {
    names.push(...Object.getOwnPropertyNames(owner).filter((name) => name !== 'constructor'));
  }
  return names;
}

/** A socket over a file descriptor could write to the server's channel, whose number is easily guessed. */
function refuseDescriptors(): void {
  const guard = ([options]: [({ fd?: unknown; handle?: unknown } | number)?]): void => {
    const { fd, handle } = typeof options === 'number' ? { fd: options } : { handle: undefined, ...options };
    if (fd !== undefined || handle !== undefined) refusal('net.Socket({ fd })')();
  };
  const Socket = new Proxy(net.Socket, {
    construct: (target, args, made) => {
      guard(args as []);
      return Reflect.construct(target, args, made) as object;
    },
    apply: (target, receiver, args) => {
      guard(args as []);
      return Reflect.apply(target as unknown as () => void, receiver, args);
    },
  });
  fix(net, 'Socket', Socket);
  fix(net, 'Stream', Socket);
  fix(net.Socket.prototype, 'constructor', Socket);
}
