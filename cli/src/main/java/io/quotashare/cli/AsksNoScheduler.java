package io.quotashare.cli;

/** Marks a command that connects to no scheduler, so that its help speaks of none. */
public interface AsksNoScheduler {}
